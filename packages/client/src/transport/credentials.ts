/**
 * Credential of a client: an API key, an access token, a service principal, or the session of a browser, whose cookie a
 * same-origin proxy replaces by a token: the client itself sends no credential.
 */
export type Credential =
  | { apiKey: string }
  | { accessToken: string | (() => string | Promise<string>) }
  | { clientId: string; clientSecret: string; scope?: string }
  | { session: true }

/** Headers that authenticate a request. */
type AuthHeaders = Record<string, string>

/**
 * Provides authentication headers. Tokens are exchanged when needed and renewed a minute before they expire, or after
 * half of a shorter lifetime.
 */
export interface CredentialSource {
  headers(): Promise<AuthHeaders>
  /** Returns headers that differ from the rejected ones; undefined if there are none. */
  renew(rejected: AuthHeaders): Promise<AuthHeaders | undefined>
}

/** The part of a token response that the client reads. */
export interface TokenResponse {
  access_token: string
  expires_in: number
}

const renewBeforeMs = 60_000

/** @param exchange requests a token with client id and secret */
export function createCredentialSource(
  credential: Credential,
  exchange: (body: Record<string, string>) => Promise<TokenResponse>,
  now: () => number = Date.now,
): CredentialSource {
  if ('apiKey' in credential) {
    const authHeaders = { 'x-api-key': readSecret('apiKey', credential.apiKey) }
    return { headers: async () => authHeaders, renew: async () => undefined }
  }
  if ('session' in credential) return { headers: async () => ({}), renew: async () => undefined }
  const tokenSource =
    'accessToken' in credential ? createProvidedTokenSource(credential) : createTokenExchange(credential, exchange, now)
  const headers = async () => ({ authorization: `Bearer ${await tokenSource.current()}` })
  return {
    headers,
    async renew({ authorization: rejected }) {
      tokenSource.invalidate?.(`${rejected}`.slice('Bearer '.length))
      const authHeaders = await headers()
      return authHeaders.authorization === rejected ? undefined : authHeaders
    },
  }
}

/**
 * Returns a secret without the white space around it, such as the line break at the end of a file.
 * @throws TypeError, without the secret, for one that no header can carry
 */
function readSecret(name: string, value: string): string {
  const secret = value.trim()
  if (secret === '') throw new TypeError(`${name}: is empty`)
  if (!/^[!-~]+$/.test(secret))
    throw new TypeError(`${name}: contains white space, a control character or a letter beyond ASCII`)
  return secret
}

interface TokenSource {
  current(): Promise<string>
  /** Drops the cached token if it is still this one. */
  invalidate?(token: string): void
}

const createProvidedTokenSource = ({
  accessToken,
}: {
  accessToken: string | (() => string | Promise<string>)
}): TokenSource => ({
  current: async () => readSecret('accessToken', typeof accessToken === 'string' ? accessToken : await accessToken()),
})

function createTokenExchange(
  { clientId, clientSecret, scope }: { clientId: string; clientSecret: string; scope?: string },
  exchange: (body: Record<string, string>) => Promise<TokenResponse>,
  now: () => number,
): TokenSource {
  const secret = readSecret('clientSecret', clientSecret)
  let cached: CachedToken | undefined

  /** Starts an exchange that all callers share. A failed one is not cached. */
  function renew(): CachedToken {
    const body = { client_id: clientId.trim(), client_secret: secret, ...(scope === undefined ? {} : { scope }) }
    const fresh: CachedToken = { response: exchange(body), token: undefined, renewAtMs: Number.POSITIVE_INFINITY }
    cached = fresh
    fresh.response.then(
      ({ access_token: token, expires_in: seconds }) => {
        fresh.token = token
        fresh.renewAtMs = now() + Math.max(seconds * 1000 - renewBeforeMs, seconds * 500)
      },
      () => {
        if (cached === fresh) cached = undefined
      },
    )
    return fresh
  }

  return {
    async current() {
      const { response } = cached !== undefined && cached.renewAtMs > now() ? cached : renew()
      return (await response).access_token
    },
    invalidate(token) {
      if (cached?.token === token) cached = undefined
    },
  }
}

interface CachedToken {
  response: Promise<TokenResponse>
  /** Undefined during the exchange. */
  token: string | undefined
  renewAtMs: number
}
