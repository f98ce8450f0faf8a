/** How a client proves who it is. */
export type Credential =
  | { apiKey: string }
  | { accessToken: string | (() => string | Promise<string>) }
  | { clientId: string; clientSecret: string; scope?: string }

/** The headers that say who is calling. */
type AuthHeaders = Record<string, string>

/** Gives the headers of the moment; tokens are exchanged when needed and renewed a minute before they end. */
export interface CredentialSource {
  headers(): Promise<AuthHeaders>
  /** Other headers than those the platform refused; undefined where there are none to be had. */
  renew(rejected: AuthHeaders): Promise<AuthHeaders | undefined>
}

interface TokenResponse {
  access_token: string
  expires_in: number
}

const renewBeforeMs = 60_000

/** @param exchange form A of the token endpoint */
export function createCredentialSource(
  credential: Credential,
  exchange: (body: Record<string, string>) => Promise<TokenResponse>,
  now: () => number = Date.now,
): CredentialSource {
  if ('apiKey' in credential) {
    const authHeaders = { 'x-api-key': credential.apiKey }
    return { headers: async () => authHeaders, renew: async () => undefined }
  }
  const tokenSource =
    'accessToken' in credential ? createFixedTokenSource(credential) : createTokenExchange(credential, exchange, now)
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

interface TokenSource {
  current(): Promise<string>
  /** Forgets a token, unless it has been replaced since. */
  invalidate?(token: string): void
}

const createFixedTokenSource = ({
  accessToken,
}: {
  accessToken: string | (() => string | Promise<string>)
}): TokenSource => ({
  current: async () => (typeof accessToken === 'string' ? accessToken : accessToken()),
})

function createTokenExchange(
  { clientId, clientSecret, scope }: { clientId: string; clientSecret: string; scope?: string },
  exchange: (body: Record<string, string>) => Promise<TokenResponse>,
  now: () => number,
): TokenSource {
  let cached: CachedToken | undefined

  /** One exchange, however many wait for it; one that failed is not kept. */
  function renew(): CachedToken {
    const body = { client_id: clientId, client_secret: clientSecret, ...(scope === undefined ? {} : { scope }) }
    const fresh: CachedToken = { answer: exchange(body), token: undefined, renewAt: Number.POSITIVE_INFINITY }
    cached = fresh
    fresh.answer.then(
      ({ access_token: token, expires_in: seconds }) => {
        fresh.token = token
        fresh.renewAt = now() + seconds * 1000 - renewBeforeMs
      },
      () => {
        if (cached === fresh) cached = undefined
      },
    )
    return fresh
  }

  return {
    async current() {
      const { answer } = cached !== undefined && cached.renewAt > now() ? cached : renew()
      return (await answer).access_token
    },
    invalidate(token) {
      if (cached?.token === token) cached = undefined
    },
  }
}

interface CachedToken {
  answer: Promise<TokenResponse>
  /** Once it is there. */
  token: string | undefined
  renewAt: number
}
