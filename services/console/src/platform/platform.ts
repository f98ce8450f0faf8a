import { ApiError, type Client, createClientFromTable, createEndpointTable } from '@wp/client'
import type { authPasskeys, authSignIn } from '@wp/contracts'
import { createProviderDirectory, type ProviderDirectory } from './provider-directory.ts'

/** Time limit of one call; the console itself is waited for. */
const callTimeoutMs = 10_000

/** The platform as the console sees it: its public API, through the edge. */
export interface Platform {
  /** Returns a client that sends these headers, and this access token where one is needed. */
  client(headers: Record<string, string>, accessToken?: string): Client
  /**
   * Returns a client for the exchange of refresh tokens. It gives up before the time in which auth repeats its response
   * to a used refresh token, 10 s, so that its retry never counts as a stolen token.
   */
  refreshClient(headers: Record<string, string>): Client
  /** Calls an endpoint of the sign-in. @returns its data and its cookies, which belong to the browser */
  signIn(call: SignInCall): Promise<{ data: unknown; cookies: string[] }>
  providers: ProviderDirectory
}

/** Time limit of an exchange of refresh tokens; with one retry 7 s at most. */
const refreshTimeoutMs = 3_000

export function createPlatform({ edgeUrl, now }: { edgeUrl: string; now: () => number }): Platform {
  const table = createEndpointTable()
  const common = { baseUrl: edgeUrl, maxRetries: 1 }
  return {
    client: (headers, accessToken = '') =>
      createClientFromTable({ ...common, headers, credential: { accessToken }, timeoutMs: callTimeoutMs }, table),
    refreshClient: (headers) =>
      createClientFromTable(
        { ...common, headers, credential: { accessToken: '' }, timeoutMs: refreshTimeoutMs },
        table,
      ),
    signIn: (call) => callSignIn(edgeUrl, call, callTimeoutMs),
    providers: createProviderDirectory({ edgeUrl, timeoutMs: callTimeoutMs, now }),
  }
}

/** A call of an endpoint of the sign-in. */
interface SignInCall {
  endpoint:
    | typeof authSignIn.login
    | typeof authSignIn.verify
    | typeof authPasskeys.startPasskeyLogin
    | typeof authPasskeys.startPasskeyRecovery
  body: Record<string, unknown>
  headers: Record<string, string>
}

/**
 * Sends a request of the sign-in. Not by the client, which hides the header fields: auth binds the link of its mail to
 * the browser by a cookie, so its cookies are passed on.
 * @throws ApiError for an error response; the error of `fetch` if there is no response
 */
async function callSignIn(
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
