/** How a client proves who it is. */
export type Credential =
  | { apiKey: string }
  | { accessToken: string | (() => string | Promise<string>) }
  | { clientId: string; clientSecret: string; scope?: string }

/** The headers that say who is calling. */
type Identity = Record<string, string>

/** Gives the headers of the moment; tokens are exchanged when needed and renewed a minute before they end. */
export interface CredentialSource {
  headers(): Promise<Identity>
  /** Other headers than those the platform refused; undefined where there are none to be had. */
  renewed(refused: Identity): Promise<Identity | undefined>
}

interface TokenAnswer {
  access_token: string
  expires_in: number
}

const renewBeforeMs = 60_000

/** @param exchange form A of the token endpoint */
export function createCredentialSource(
  credential: Credential,
  exchange: (body: Record<string, string>) => Promise<TokenAnswer>,
  now: () => number = Date.now,
): CredentialSource {
  if ('apiKey' in credential) {
    const identity = { 'x-api-key': credential.apiKey }
    return { headers: async () => identity, renewed: async () => undefined }
  }
  const tokens = 'accessToken' in credential ? givenToken(credential) : exchangedToken(credential, exchange, now)
  const headers = async () => ({ authorization: `Bearer ${await tokens.current()}` })
  return {
    headers,
    async renewed({ authorization: refused }) {
      tokens.refuse?.(`${refused}`.slice('Bearer '.length))
      const identity = await headers()
      return identity.authorization === refused ? undefined : identity
    },
  }
}

interface Tokens {
  current(): Promise<string>
  /** Forgets a token, unless it has been replaced since. */
  refuse?(token: string): void
}

const givenToken = ({ accessToken }: { accessToken: string | (() => string | Promise<string>) }): Tokens => ({
  current: async () => (typeof accessToken === 'string' ? accessToken : accessToken()),
})

function exchangedToken(
  { clientId, clientSecret, scope }: { clientId: string; clientSecret: string; scope?: string },
  exchange: (body: Record<string, string>) => Promise<TokenAnswer>,
  now: () => number,
): Tokens {
  let kept: Kept | undefined

  /** One exchange, however many wait for it; one that failed is not kept. */
  function renew(): Kept {
    const body = { client_id: clientId, client_secret: clientSecret, ...(scope === undefined ? {} : { scope }) }
    const fresh: Kept = { answer: exchange(body), token: undefined, renewAt: Number.POSITIVE_INFINITY }
    kept = fresh
    fresh.answer.then(
      ({ access_token: token, expires_in: seconds }) => {
        fresh.token = token
        fresh.renewAt = now() + seconds * 1000 - renewBeforeMs
      },
      () => {
        if (kept === fresh) kept = undefined
      },
    )
    return fresh
  }

  return {
    async current() {
      const { answer } = kept !== undefined && kept.renewAt > now() ? kept : renew()
      return (await answer).access_token
    },
    refuse(token) {
      if (kept?.token === token) kept = undefined
    },
  }
}

interface Kept {
  answer: Promise<TokenAnswer>
  /** Once it is there. */
  token: string | undefined
  renewAt: number
}
