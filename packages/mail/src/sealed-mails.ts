import type { Database } from '@wp/database'
import type { SealedStore } from '@wp/service'

interface Row {
  mailId: string
  sealed: string
}

/** The sealed mails, for KEK rotation. Signing keys are not included: their own rotation reseals them. */
export const sealedMails = (pool: Database['worker']): SealedStore<Row> => ({
  name: 'mails',
  async findSealedWith(keyPrefix, after, limit) {
    const { rows } = await pool.query<Row>(
      `SELECT mail_id, sealed FROM mails WHERE starts_with(sealed, $1) AND mail_id > $2 ORDER BY mail_id LIMIT $3`,
      [keyPrefix, after?.mailId ?? '', limit],
    )
    return rows
  },
  sealedValues: ({ mailId, sealed }) => [{ sealed, associatedData: mailId }],
  async updateSealed({ mailId, sealed }, [resealed]) {
    await pool.query('UPDATE mails SET sealed = $3 WHERE mail_id = $1 AND sealed = $2', [mailId, sealed, resealed])
  },
  async countSealedWith(keyPrefix) {
    const text = 'SELECT count(*)::int AS count FROM mails WHERE starts_with(sealed, $1)'
    const { rows } = await pool.query<{ count: number }>(text, [keyPrefix])
    return rows[0]?.count ?? 0
  },
})
