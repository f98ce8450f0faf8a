import table from 'virtual:endpoint-table'
import { type Client, createClientFromTable } from '@wp/client/browser'
import { dropFirstResponses, takeFirstResponse } from './first-responses.ts'
import { apiPath, consoleHeaders } from './request-session.ts'
import { withSessionHandling } from './session-handling.ts'

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
