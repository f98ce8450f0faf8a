import type { ClientCredentials } from './authentication.ts'
import { requestToken, type TokenContext } from './request-token.ts'

/** An access token, and whether an earlier attempt has used it. */
export interface UsedToken {
  value: string
  isCached: boolean
}

/** Access tokens of endpoints, kept in memory. */
export interface AccessTokens {
  /**
   * Returns the token of an endpoint. It is requested if there is none or it expires soon, once for all attempts that
   * wait for it.
   * @param key identifies the credentials; changes when they do
   * @throws AuthenticationError; OutboundError `aborted` at shutdown
   */
  get(key: string, credentials: ClientCredentials): Promise<UsedToken>
  /** Drops a token that the endpoint rejected, unless another one has replaced it. */
  reject(key: string, token: string): void
}

interface Entry {
  token: Promise<{ value: string; refreshAtMs: number }>
  /** Infinity while the token is being requested. */
  refreshAtMs: number
  value: string | undefined
}

/** Entries kept; a further one replaces the least recently used. */
const maxEntries = 10_000

/** A token is replaced so long before it expires, or after half of a short lifetime. */
const maxRefreshMarginMs = 60_000

export function createAccessTokens(context: TokenContext & { now: () => number }): AccessTokens {
  const entries = new Map<string, Entry>()

  function start(key: string, credentials: ClientCredentials): Entry {
    const entry: Entry = { token: request(credentials), refreshAtMs: Number.POSITIVE_INFINITY, value: undefined }
    // Callers get a failure from `entry.token`.
    void entry.token.then(
      ({ value, refreshAtMs }) => Object.assign(entry, { value, refreshAtMs }),
      () => {
        if (entries.get(key) === entry) entries.delete(key)
      },
    )
    return entry
  }

  async function request(credentials: ClientCredentials) {
    const { value, lifetimeMs } = await requestToken(context, credentials)
    return { value, refreshAtMs: context.now() + lifetimeMs - Math.min(maxRefreshMarginMs, lifetimeMs / 2) }
  }

  function keep(key: string, entry: Entry): void {
    // Inserted again, so that the least recently used one comes first.
    entries.delete(key)
    entries.set(key, entry)
    const [oldest] = entries.keys()
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
  }

  return {
    async get(key, credentials) {
      const known = entries.get(key)
      const entry = known !== undefined && context.now() < known.refreshAtMs ? known : start(key, credentials)
      keep(key, entry)
      const isCached = entry.value !== undefined
      return { value: (await entry.token).value, isCached }
    },
    reject(key, token) {
      if (entries.get(key)?.value === token) entries.delete(key)
    },
  }
}
