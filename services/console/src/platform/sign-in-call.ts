import { ApiError } from '@wp/client'
import type { authSignIn } from '@wp/contracts'

/** A call of an endpoint of the sign-in. */
export interface SignInCall {
  endpoint: typeof authSignIn.login | typeof authSignIn.verify
  body: Record<string, unknown>
  headers: Record<string, string>
}

/**
 * Sends a request of the sign-in. Not by the client, which hides the header fields: auth binds the link of its mail to
 * the browser by a cookie, so its cookies are passed on.
 * @throws ApiError for an error response; the error of `fetch` if there is no response
 */
export async function callSignIn(
  edgeUrl: string,
  { endpoint, body, headers }: SignInCall,
  timeoutMs: number,
): Promise<{ data: unknown; cookies: string[] }> {
  const response = await fetch(edgeUrl + endpoint.path, {
    method: endpoint.method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw new ApiError(response, answer)
  const data = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : undefined
  return { data, cookies: response.headers.getSetCookie() }
}
