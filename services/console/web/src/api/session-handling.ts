import { ApiError, type Client } from '@wp/client/browser'
import { getSession } from './console-request.ts'
import { notifySessionEnded, requestStepUp } from './session-state.ts'

/**
 * Returns a client whose calls ask for a recent sign-in where the edge requires one, and are then repeated once; and
 * which report that the session has ended.
 */
export function withSessionHandling(client: Client): Client {
  const surfaces = Object.entries(client).map(([surface, methods]) => [
    surface,
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [name, handleSession(method as Method)]), // every member is a method
    ),
  ])
  return Object.fromEntries(surfaces) // the same names as before, with methods of the same types
}

type Method = (...parameters: unknown[]) => Promise<unknown>

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
