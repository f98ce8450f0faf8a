import { createLocalJWKSet, type JSONWebKeySet, type JWK } from 'jose'

/** Identifies a key by its id and its public value: another key with the same id has another fingerprint. */
export type KeyFingerprint = string

/** The keys auth publishes, as they were last fetched. */
export interface SigningKeys {
  /** Finds the key of a token. */
  find: ReturnType<typeof createLocalJWKSet>
  fingerprintsById: ReadonlyMap<string | undefined, KeyFingerprint>
  fingerprints: ReadonlySet<KeyFingerprint>
  /** Milliseconds since 1970. */
  fetchedAt: number
}

/** The fetched keys and the latest attempt to fetch them. */
export interface KeyState {
  readonly keys: SigningKeys | undefined
  readonly lastFetch: { readonly startedAt: number; readonly isPending: boolean } | undefined
}

export type KeyEvent =
  | { kind: 'fetch_started' }
  | { kind: 'fetch_succeeded'; keySet: JSONWebKeySet }
  | { kind: 'fetch_failed' }

/**
 * `fresh`: usable as they are. `stale`: usable, to be fetched again in the background. `expired`: usable only if a
 * fetch fails. `missing`: never fetched.
 */
export type KeyFreshness = 'fresh' | 'stale' | 'expired' | 'missing'

const freshMs = 60_000
const expiredMs = 300_000
/** Minimum time between two fetches, whatever tokens arrive. */
const cooldownMs = 1000

export const noKeys: KeyState = { keys: undefined, lastFetch: undefined }

/** Returns the state after an event. @param now milliseconds since 1970 */
export function nextKeyState(state: KeyState, event: KeyEvent, now: number): KeyState {
  if (event.kind === 'fetch_started') return { ...state, lastFetch: { startedAt: now, isPending: true } }
  const lastFetch = { startedAt: state.lastFetch?.startedAt ?? now, isPending: false }
  return { keys: event.kind === 'fetch_succeeded' ? toSigningKeys(event.keySet, now) : state.keys, lastFetch }
}

/** Returns true if a fetch may start: none is pending, and the last one, successful or not, started long enough ago. */
export const mayFetch = ({ lastFetch }: KeyState, now: number): boolean =>
  lastFetch === undefined || (!lastFetch.isPending && now - lastFetch.startedAt >= cooldownMs)

export function freshnessOf({ keys }: KeyState, now: number): KeyFreshness {
  if (keys === undefined) return 'missing'
  const ageMs = now - keys.fetchedAt
  return ageMs > expiredMs ? 'expired' : ageMs > freshMs ? 'stale' : 'fresh'
}

/** Returns true if keys are old enough that an unknown key id justifies a fetch: the key may be new. */
export const mayLackNewKey = ({ fetchedAt }: SigningKeys, now: number): boolean => now - fetchedAt >= cooldownMs

function toSigningKeys(keySet: JSONWebKeySet, now: number): SigningKeys {
  const fingerprintsById = new Map(keySet.keys.map((key) => [key.kid, fingerprintOf(key)]))
  return {
    find: createLocalJWKSet(keySet),
    fingerprintsById,
    fingerprints: new Set(fingerprintsById.values()),
    fetchedAt: now,
  }
}

const fingerprintOf = ({ kid, x, y }: JWK): KeyFingerprint => JSON.stringify([kid, x, y])
