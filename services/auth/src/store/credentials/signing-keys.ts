import type { Database } from '@wp/database'
import type { RotationPlan, SigningKeyRow } from '../../tokens/signing-key-rotation.ts'

type Pool = Database['worker']

/** A new key pair: what is published, and what is kept sealed. */
export type NewSigningKey = Pick<SigningKeyRow, 'kid' | 'publicJwk' | 'privateSealed'>

interface RotationSteps {
  /** What shall change, seeing what is there. */
  plan: (rows: readonly SigningKeyRow[]) => RotationPlan
  create: () => Promise<NewSigningKey>
  /** The private part sealed anew, where its key has been replaced. */
  rotateEncryption: (row: SigningKeyRow) => string | undefined
}

/** Brings the kept keys up to date and answers them. Replicas that do so at once agree: one after the other. */
export async function rotateSigningKeys(
  pool: Pool,
  { plan, create, rotateEncryption }: RotationSteps,
): Promise<readonly SigningKeyRow[]> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    await client.query('BEGIN')
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('auth.signing_keys', 0))`)
    const { addActiveFrom, expireCurrentAt, remove } = plan(await listSigningKeys(client))
    await client.query('DELETE FROM signing_keys WHERE kid = ANY($1)', [remove])
    if (expireCurrentAt !== undefined)
      await client.query('UPDATE signing_keys SET expires_at = $1 WHERE expires_at IS NULL', [expireCurrentAt])
    if (addActiveFrom !== undefined) {
      const { kid, publicJwk, privateSealed } = await create()
      await client.query(
        'INSERT INTO signing_keys (kid, public_jwk, private_sealed, active_from) VALUES ($1, $2, $3, $4)',
        [kid, JSON.stringify(publicJwk), privateSealed, addActiveFrom],
      )
    }
    for (const row of await listSigningKeys(client)) {
      const sealed = rotateEncryption(row)
      if (sealed !== undefined)
        await client.query('UPDATE signing_keys SET private_sealed = $2 WHERE kid = $1', [row.kid, sealed])
    }
    const rows = await listSigningKeys(client)
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

async function listSigningKeys(client: Pick<Pool, 'query'>): Promise<SigningKeyRow[]> {
  const { rows } = await client.query<SigningKeyRow>(
    `SELECT kid, public_jwk AS "publicJwk", private_sealed AS "privateSealed",
            active_from AS "activeFrom", expires_at AS "expiresAt"
     FROM signing_keys ORDER BY active_from`,
  )
  return rows
}
