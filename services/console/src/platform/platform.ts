import { type Client, createClientFromTable, createEndpointTable } from '@wp/client'
import { createProviderDirectory, type ProviderDirectory } from './provider-directory.ts'
import { callSignIn, type SignInCall } from './sign-in-call.ts'

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
