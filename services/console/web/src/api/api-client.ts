import table from 'virtual:endpoint-table'
import { ApiError, type Client, createClientFromTable } from '@wp/client/browser'
import { notifySessionEnded } from '../state/session-ended.ts'
import { requestStepUp } from '../state/step-up.ts'
import { apiPath, consoleHeaders, getSession } from './console-request.ts'
import { dropFirstResponses, takeFirstResponse } from './first-responses.ts'

/**
 * Creates the client of a workspace: `@wp/client` over the same-origin proxy, which adds the token of the session. A
 * call that needs a recent sign-in asks for it and is then repeated; a call without a session reports that it has
 * ended.
 */
export function createApiClient(workspaceId: string | undefined): Client {
  const client = createClientFromTable(
    {
      baseUrl: location.origin + apiPath,
      credential: { session: true },
      headers: consoleHeaders,
      fetch: (input, init) => fetchOnce(workspaceId ?? '', input, init),
      ...(workspaceId !== undefined && { workspaceId }),
    },
    table,
  )
  return withSessionHandling(client)
}

/** Sends a request unless the page has made it first. */
function fetchOnce(workspaceId: string, input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  if (init.method !== 'GET') {
    dropFirstResponses()
    return fetch(input, init)
  }
  const { pathname, search } = new URL(String(input))
  return takeFirstResponse(workspaceId, pathname + search) ?? fetch(input, init)
}

type Method = (...parameters: unknown[]) => Promise<unknown>

function withSessionHandling(client: Client): Client {
  const surfaces = Object.entries(client).map(([surface, methods]) => [
    surface,
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [name, handleSession(method as Method)]), // every member is a method
    ),
  ])
  return Object.fromEntries(surfaces) // the same names as before, with methods of the same types
}

const handleSession =
  (method: Method): Method =>
  async (...parameters) => {
    try {
      return await method(...parameters)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      const mayRepeat = error.code === 'reauthentication_required' ? await requestStepUp() : await isSignedIn()
      if (!mayRepeat) throw error
      return method(...parameters)
    }
  }

/**
 * Asks whether the session still exists: another tab may have renewed its cookie while the call was under way. Reports
 * that it has ended otherwise.
 */
async function isSignedIn(): Promise<boolean> {
  const { authenticated } = await getSession<{ authenticated: boolean }>()
  if (!authenticated) notifySessionEnded()
  return authenticated
}
