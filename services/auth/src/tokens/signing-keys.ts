import type { Database } from '@wp/database'
import type { Schedule } from '@wp/jobs/background'
import type { Sealer } from '@wp/service'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import {
  type NewSigningKey,
  type RotationPlan,
  rotateSigningKeys,
  type SigningKeyRow,
} from '../store/credentials/signing-keys.ts'

/** Lifetime of an access token. */
export const tokenLifetimeSeconds = 3600

const dayMs = 86_400_000
/** Time a new key is published before it signs; must exceed the time any client caches the key set. */
const publishAheadMs = 600_000
/** Tolerance for clock differences between replicas and clients. */
const leewayMs = 300_000

/** The keys that sign access tokens. */
export interface SigningKeys {
  /** Returns the current signing key. */
  current(): { kid: string; key: CryptoKey }
  /** Returns the published public keys as JWKs. */
  published(): JWK[]
  /** Rotates the keys if due and reloads them. */
  refresh(): Promise<void>
}

interface Options {
  pool: Database['worker']
  sealer: Sealer
  /** Days a key signs before the next one replaces it. */
  signingDays: number
  now: () => number
}

/** Must be well below `publishAheadMs`, so that every replica publishes a key before it signs. */
const refreshMs = 60_000

/** Loads the signing keys, creating the first one if there is none. @throws Error if they cannot be read or unsealed */
export async function loadSigningKeys({ pool, sealer, signingDays, now }: Options): Promise<SigningKeys> {
  let rows: readonly SigningKeyRow[] = []
  let keysById: ReadonlyMap<string, CryptoKey> = new Map()

  async function refresh() {
    const rotatedRows = await rotateSigningKeys(pool, {
      plan: (storedRows) => planRotation(storedRows, new Date(now()), signingDays),
      create: () => createKey(sealer),
      rotateEncryption: ({ kid, privateSealed }) =>
        sealer.isStale(privateSealed)
          ? sealer.seal(sealer.open(privateSealed, associatedDataOf(kid)), associatedDataOf(kid))
          : undefined,
    })
    keysById = new Map(
      await Promise.all(
        rotatedRows.map(async (row) => [row.kid, keysById.get(row.kid) ?? (await unsealKey(sealer, row))] as const),
      ),
    )
    rows = rotatedRows
  }

  await refresh()
  return {
    current() {
      const kid = signingKeyAt(rows, new Date(now()))?.kid
      const key = kid === undefined ? undefined : keysById.get(kid)
      if (kid === undefined || key === undefined) throw new Error('no active key to sign access tokens')
      return { kid, key }
    },
    published: () => publishedKeysAt(rows, new Date(now())).map(({ publicJwk }) => publicJwk),
    refresh,
  }
}

/** Returns the schedule that rotates the keys and follows the rotations of other replicas. */
export const signingKeySchedule = ({ refresh }: SigningKeys): Schedule => ({
  name: 'signing keys',
  everyMs: refreshMs,
  async pass() {
    await refresh()
    return 'idle'
  },
})

const associatedDataOf = (kid: string) => `signing_keys/${kid}`

async function createKey(sealer: Sealer): Promise<NewSigningKey> {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const [publicPart, privatePart] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)])
  const kid = await calculateJwkThumbprint(publicPart)
  return {
    kid,
    publicJwk: { ...publicPart, kid, alg: 'ES256', use: 'sig' },
    privateSealed: sealer.seal(JSON.stringify(privatePart), associatedDataOf(kid)),
  }
}

async function unsealKey(sealer: Sealer, { kid, privateSealed }: SigningKeyRow): Promise<CryptoKey> {
  const jwk: JWK = JSON.parse(sealer.open(privateSealed, associatedDataOf(kid)))
  const key = await importJWK(jwk, 'ES256')
  if (key instanceof Uint8Array) throw new Error(`signing key ${kid} is not an EC key`)
  return key
}

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
