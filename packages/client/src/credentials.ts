/** How a client proves who it is. */
export type Credential =
  | { apiKey: string }
  | { accessToken: string | (() => string | Promise<string>) }
  | { clientId: string; clientSecret: string; scope?: string }

/** Gives the header of the moment; tokens are exchanged when needed and renewed a minute before they end. */
export interface CredentialSource {
  headers(): Promise<Record<string, string>>
  /** Forgets a token the platform refused. @returns whether trying again can help */
  refused(): boolean
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
  if ('apiKey' in credential) return { headers: async () => ({ 'x-api-key': credential.apiKey }), refused: () => false }
  if ('accessToken' in credential) {
    const { accessToken } = credential
    const current = async () => (typeof accessToken === 'string' ? accessToken : accessToken())
    return { headers: async () => ({ authorization: `Bearer ${await current()}` }), refused: () => false }
  }
  const { clientId, clientSecret, scope } = credential
  let token: { value: Promise<TokenAnswer>; renewAt: number } | undefined

  function current(): Promise<TokenAnswer> {
    if (token !== undefined && token.renewAt > now()) return token.value
    const request = { client_id: clientId, client_secret: clientSecret, ...(scope === undefined ? {} : { scope }) }
    const fresh = { value: exchange(request), renewAt: Number.POSITIVE_INFINITY }
    token = fresh
    fresh.value.then(
      (answer) => {
        fresh.renewAt = now() + answer.expires_in * 1000 - renewBeforeMs
      },
      () => {
        if (token === fresh) token = undefined
      },
    )
    return fresh.value
  }

  return {
    headers: async () => ({ authorization: `Bearer ${(await current()).access_token}` }),
    refused() {
      const had = token !== undefined
      token = undefined
      return had
    },
  }
}
