import type { Database } from '@wp/database'
import type { Revision, SigningKeyRow } from '../tokens/rotation.ts'

type Pool = Database['worker']

/** A new key pair: what is published, and what is kept sealed. */
export type NewSigningKey = Pick<SigningKeyRow, 'kid' | 'publicJwk' | 'privateSealed'>

interface Revising {
  /** What shall change, seeing what is there. */
  revise: (rows: readonly SigningKeyRow[]) => Revision
  create: () => Promise<NewSigningKey>
  /** The private part sealed anew, where its key has been replaced. */
  reseal: (row: SigningKeyRow) => string | undefined
}

/** Brings the kept keys up to date and answers them. Replicas that do so at once agree: one after the other. */
export async function reviseSigningKeys(
  pool: Pool,
  { revise, create, reseal }: Revising,
): Promise<readonly SigningKeyRow[]> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    await client.query('BEGIN')
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('auth.signing_keys', 0))`)
    const { addFrom, retireAt, remove } = revise(await list(client))
    await client.query('DELETE FROM signing_keys WHERE kid = ANY($1)', [remove])
    if (retireAt !== undefined)
      await client.query('UPDATE signing_keys SET expires_at = $1 WHERE expires_at IS NULL', [retireAt])
    if (addFrom !== undefined) {
      const { kid, publicJwk, privateSealed } = await create()
      await client.query(
        'INSERT INTO signing_keys (kid, public_jwk, private_sealed, active_from) VALUES ($1, $2, $3, $4)',
        [kid, JSON.stringify(publicJwk), privateSealed, addFrom],
      )
    }
    for (const row of await list(client)) {
      const sealed = reseal(row)
      if (sealed !== undefined)
        await client.query('UPDATE signing_keys SET private_sealed = $2 WHERE kid = $1', [row.kid, sealed])
    }
    const rows = await list(client)
    await client.query('COMMIT')
    return rows
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // A connection given back with an error is closed, and PostgreSQL rolls back by itself.
    client.release(failure)
  }
}

async function list(client: Pick<Pool, 'query'>): Promise<SigningKeyRow[]> {
  const { rows } = await client.query<SigningKeyRow>(
    `SELECT kid, public_jwk AS "publicJwk", private_sealed AS "privateSealed",
            active_from AS "activeFrom", expires_at AS "expiresAt"
     FROM signing_keys ORDER BY active_from`,
  )
  return rows
}
