import type { JSONWebKeySet } from 'jose'
import { checkAccessToken, type TokenCheck } from './access-token.ts'
import { createScopeCache } from './scope-cache.ts'
import {
  freshnessOf,
  type KeyFingerprint,
  mayFetch,
  mayLackNewKey,
  nextKeyState,
  noKeys,
  type SigningKeys,
} from './signing-keys.ts'

/** Verifies access tokens with the keys auth publishes. */
export interface TokenVerifier {
  /** @throws while no keys could be fetched */
  verify(token: string): Promise<TokenCheck>
  /** Returns true while a key is published: a valid signature stays valid, but its key can be withdrawn. */
  isKeyPublished(key: KeyFingerprint): boolean
}

interface TokenVerifierOptions {
  /** Base address: issuer and audience of the tokens. */
  base: string
  fetchKeys: () => Promise<JSONWebKeySet>
  /** Milliseconds since 1970. */
  now: () => number
}

/**
 * Creates the verifier. It fetches the keys on first use, every minute after, and when a token names an unknown key.
 * `signing-keys.ts` decides when; this is the shell that fetches.
 */
export function createTokenVerifier({ base, fetchKeys, now }: TokenVerifierOptions): TokenVerifier {
  const scopeCache = createScopeCache()
  let state = noKeys
  let lastFetch: Promise<void> = Promise.resolve()

  /** Starts a fetch if one may start, else returns the latest one, which may have failed. */
  function refresh(): Promise<void> {
    if (!mayFetch(state, now())) return lastFetch
    state = nextKeyState(state, { kind: 'fetch_started' }, now())
    lastFetch = fetchKeys()
      .then((keySet) => {
        state = nextKeyState(state, { kind: 'fetch_succeeded', keySet }, now())
      })
      .catch((error: unknown) => {
        state = nextKeyState(state, { kind: 'fetch_failed' }, now())
        throw error
      })
    return lastFetch
  }

  async function requireKeys(): Promise<SigningKeys> {
    const freshness = freshnessOf(state, now())
    if (freshness === 'missing') await refresh()
    else if (freshness !== 'fresh') {
      const refreshed = refresh().catch(() => undefined) // auth is unavailable: the known keys stay in use
      if (freshness === 'expired') await refreshed
    }
    if (state.keys === undefined) throw new Error('signing keys not available')
    return state.keys
  }

  return {
    async verify(token) {
      const keys = await requireKeys()
      const check = await checkAccessToken(token, { base, keys, scopeCache, now: now() })
      if (check !== 'unknown_key') return check
      if (mayLackNewKey(keys, now())) await refresh()
      const newKeys = await requireKeys()
      const second =
        newKeys === keys ? check : await checkAccessToken(token, { base, keys: newKeys, scopeCache, now: now() })
      return second === 'unknown_key' ? { status: 'invalid' } : second
    },
    isKeyPublished(key) {
      // also refreshes, because a token whose verification is cached does not reach `verify`
      const freshness = freshnessOf(state, now())
      if (freshness !== 'fresh') refresh().catch(() => undefined)
      return state.keys?.fingerprints.has(key) ?? false
    },
  }
}
