import type { Database } from '@wp/database'
import type { Logger, Sealer, Worker } from '@wp/service'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { type NewSigningKey, rotateSigningKeys } from '../store/credentials/signing-keys.ts'
import { planRotation, publishedKeysAt, type SigningKeyRow, signingKeyAt } from './signing-key-rotation.ts'

/** The keys that sign access tokens. As a worker it follows rotations, its own and those of other replicas. */
export interface SigningKeys extends Worker {
  /** The key that signs now. */
  current(): { kid: string; key: CryptoKey }
  /** The public keys that verify what is alive or will be signed next, as JWKs. */
  published(): JWK[]
  /** Reads the keys again, after rotating them where it is time. */
  refresh(): Promise<void>
}

interface Options {
  pool: Database['worker']
  sealer: Sealer
  /** How long a key signs before the next one takes over. */
  signingDays: number
  now: () => number
  log: Logger
}

/** Well below the time a new key is published ahead. */
const refreshMs = 60_000

/** Reads the keys, makes the first one where there is none. @throws when they cannot be read or opened */
export async function loadSigningKeys({ pool, sealer, signingDays, now, log }: Options): Promise<SigningKeys> {
  let rows: readonly SigningKeyRow[] = []
  let keysById: ReadonlyMap<string, CryptoKey> = new Map()
  let timer: NodeJS.Timeout | undefined

  async function refresh() {
    const rotatedRows = await rotateSigningKeys(pool, {
      plan: (kept) => planRotation(kept, new Date(now()), signingDays),
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
    name: 'signing-keys',
    current() {
      const kid = signingKeyAt(rows, new Date(now()))?.kid
      const key = kid === undefined ? undefined : keysById.get(kid)
      if (kid === undefined || key === undefined) throw new Error('there is no key that signs access tokens')
      return { kid, key }
    },
    published: () => publishedKeysAt(rows, new Date(now())).map(({ publicJwk }) => publicJwk),
    refresh,
    async start() {
      const attempt = () => refresh().catch((err: unknown) => log.error({ err }, 'the signing keys could not be read'))
      timer = setInterval(() => void attempt(), refreshMs)
    },
    async stop() {
      clearInterval(timer)
    },
  }
}

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
  if (key instanceof Uint8Array) throw new Error(`the signing key ${kid} is not an EC key`)
  return key
}
