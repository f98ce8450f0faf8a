import type { JWK } from 'jose'

/** How long an access token lives. */
export const tokenLifetimeSeconds = 3600

/** A signing key as it is kept. */
export interface SigningKeyRow {
  kid: string
  publicJwk: JWK
  privateSealed: string
  /** From when it signs, until a later one does. */
  activeFrom: Date
  /** When nothing it signed is alive; null while it has no successor. */
  expiresAt: Date | null
}

/** What shall change about the kept keys. */
export interface RotationPlan {
  /** From when a new key shall sign; undefined: none is needed. */
  addActiveFrom: Date | undefined
  /** When the keys that sign now may be forgotten, once the new one has taken over. */
  expireCurrentAt: Date | undefined
  /** Key ids to forget. */
  remove: string[]
}

const dayMs = 86_400_000
/** The next key is published this long before it signs: longer than any reader of the key set keeps it. */
const publishAheadMs = 600_000
/** Replicas and readers whose clocks differ. */
const leewayMs = 300_000

/** What the passing of time asks for: a first key, the next one, the forgetting of those past their use. */
export function planRotation(rows: readonly SigningKeyRow[], now: Date, signingDays: number): RotationPlan {
  const publishedKeys = publishedKeysAt(rows, now)
  const remove = rows.filter((row) => !publishedKeys.includes(row)).map(({ kid }) => kid)
  const newest = latestKey(publishedKeys)
  if (newest === undefined) return { addActiveFrom: now, expireCurrentAt: undefined, remove }
  if (newest.activeFrom.getTime() + signingDays * dayMs > now.getTime())
    return { addActiveFrom: undefined, expireCurrentAt: undefined, remove }
  const addFrom = new Date(now.getTime() + publishAheadMs)
  return {
    addActiveFrom: addFrom,
    expireCurrentAt: new Date(addFrom.getTime() + tokenLifetimeSeconds * 1000 + leewayMs),
    remove,
  }
}

/** The keys that verify: the current one, the next, and those that signed something still alive. */
export const publishedKeysAt = (rows: readonly SigningKeyRow[], now: Date): SigningKeyRow[] =>
  rows.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)

/** The key that signs: the latest whose time has come. */
export const signingKeyAt = (rows: readonly SigningKeyRow[], now: Date): SigningKeyRow | undefined =>
  latestKey(rows.filter(({ activeFrom }) => activeFrom <= now))

const latestKey = (rows: readonly SigningKeyRow[]): SigningKeyRow | undefined =>
  rows.toSorted((a, b) => b.activeFrom.getTime() - a.activeFrom.getTime())[0]
