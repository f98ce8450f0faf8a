import type { RotationPlan, SigningKeyRow } from '../store/credentials/signing-keys.ts'

/** Lifetime of an access token. */
export const tokenLifetimeSeconds = 3600

const dayMs = 86_400_000
/** Time a new key is published before it signs; must exceed the time any client caches the key set. */
const publishAheadMs = 600_000
/** Tolerance for clock differences between replicas and clients. */
const leewayMs = 300_000

/** Plans the rotation due at a time: a first key, the next key, and the removal of expired keys. */
export function planRotation(rows: readonly SigningKeyRow[], now: Date, signingDays: number): RotationPlan {
  const publishedKeys = publishedKeysAt(rows, now)
  const remove = rows.filter((row) => !publishedKeys.includes(row)).map(({ kid }) => kid)
  const newest = latestKey(publishedKeys)
  if (newest === undefined) return { addActiveFrom: now, expireCurrentAt: undefined, remove }
  if (newest.activeFrom.getTime() + signingDays * dayMs > now.getTime())
    return { addActiveFrom: undefined, expireCurrentAt: undefined, remove }
  const activeFrom = new Date(now.getTime() + publishAheadMs)
  return {
    addActiveFrom: activeFrom,
    expireCurrentAt: new Date(activeFrom.getTime() + tokenLifetimeSeconds * 1000 + leewayMs),
    remove,
  }
}

/** Returns the keys to publish: the current one, the next one, and those with tokens that are still valid. */
export const publishedKeysAt = (rows: readonly SigningKeyRow[], now: Date): SigningKeyRow[] =>
  rows.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)

/** Returns the signing key: the latest active one. */
export const signingKeyAt = (rows: readonly SigningKeyRow[], now: Date): SigningKeyRow | undefined =>
  latestKey(rows.filter(({ activeFrom }) => activeFrom <= now))

const latestKey = (rows: readonly SigningKeyRow[]): SigningKeyRow | undefined =>
  rows.toSorted((a, b) => b.activeFrom.getTime() - a.activeFrom.getTime())[0]
