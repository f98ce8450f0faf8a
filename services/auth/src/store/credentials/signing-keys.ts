import { type Database, inWorkerTransaction, type Query, type Row } from '@wp/database'
import type { JWK } from 'jose'
import type { SigningKey } from '#db'

type Pool = Database['worker']

/** A stored signing key. */
export interface SigningKeyRow extends Row<SigningKey, 'kid' | 'privateSealed' | 'activeFrom' | 'expiresAt'> {
  publicJwk: JWK
}

/** The changes one rotation makes to the stored keys. */
export interface RotationPlan {
  /** Activation time of a new key; undefined if none is needed. */
  addActiveFrom: Date | undefined
  /** Expiry set on the keys that have none, so that they outlive the new key's activation. */
  expireCurrentAt: Date | undefined
  /** Key ids to delete. */
  remove: string[]
}

/** A new key pair: the public key and the sealed private key. */
export type NewSigningKey = Pick<SigningKeyRow, 'kid' | 'publicJwk' | 'privateSealed'>

interface RotationSteps {
  /** Plans the changes from the stored keys. */
  plan: (rows: readonly SigningKeyRow[]) => RotationPlan
  create: () => Promise<NewSigningKey>
  /** Returns the private key sealed with the current KEK; undefined if it already is. */
  rotateEncryption: (row: SigningKeyRow) => string | undefined
}

/** Applies a rotation and returns all keys. A lock serializes concurrent replicas, so they agree on the keys. */
export async function rotateSigningKeys(
  pool: Pool,
  { plan, create, rotateEncryption }: RotationSteps,
): Promise<readonly SigningKeyRow[]> {
  return await inWorkerTransaction(pool, async (_client, query) => {
    await query(`SELECT pg_advisory_xact_lock(hashtextextended('auth.signing_keys', 0))`)
    const { addActiveFrom, expireCurrentAt, remove } = plan(await listSigningKeys(query))
    await query('DELETE FROM signing_keys WHERE kid = ANY($1)', [remove])
    if (expireCurrentAt !== undefined)
      await query('UPDATE signing_keys SET expires_at = $1 WHERE expires_at IS NULL', [expireCurrentAt])
    if (addActiveFrom !== undefined) {
      const { kid, publicJwk, privateSealed } = await create()
      await query('INSERT INTO signing_keys (kid, public_jwk, private_sealed, active_from) VALUES ($1, $2, $3, $4)', [
        kid,
        JSON.stringify(publicJwk),
        privateSealed,
        addActiveFrom,
      ])
    }
    for (const row of await listSigningKeys(query)) {
      const sealed = rotateEncryption(row)
      if (sealed !== undefined)
        await query('UPDATE signing_keys SET private_sealed = $2 WHERE kid = $1', [row.kid, sealed])
    }
    return await listSigningKeys(query)
  })
}

const listSigningKeys = async (query: Query): Promise<SigningKeyRow[]> =>
  await query<SigningKeyRow>(
    'SELECT kid, public_jwk, private_sealed, active_from, expires_at FROM signing_keys ORDER BY active_from',
  )
