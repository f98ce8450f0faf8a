import type { Database, Transaction } from '@wp/database'
import type { SealedStore } from '@wp/service'

type Pool = Database['worker']

export async function insertMail(
  { query }: Transaction,
  { mailId, sealed, expiresAt }: { mailId: string; sealed: string; expiresAt: Date },
): Promise<void> {
  await query('INSERT INTO mails (mail_id, sealed, expires_at) VALUES ($1, $2, $3)', [mailId, sealed, expiresAt])
}

/** A mail claimed until its lease ends. `tries` identifies the claim. */
export interface ClaimedMail {
  mailId: string
  sealed: string
  tries: number
  expiresAt: Date
}

/**
 * Claims up to `limit` due mails. The lease moves the time of the next attempt: until then no other replica claims
 * them, and if this one dies before the server gets the content they become due again.
 */
export async function claimMails(
  pool: Pool,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<ClaimedMail[]> {
  const { rows } = await pool.query<ClaimedMail>(
    `UPDATE mails SET tries = tries + 1, next_try_at = now() + make_interval(secs => $2)
     WHERE mail_id IN (
       SELECT mail_id FROM mails WHERE next_try_at <= now() AND expires_at > now() AND state = 'queued'
       ORDER BY next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING mail_id, sealed, tries, expires_at`,
    [limit, leaseSeconds],
  )
  return rows
}

/** Stores that the server is about to get the content. @throws Error if the claim has been lost */
export async function markSending(pool: Pool, { mailId, tries }: ClaimedMail): Promise<void> {
  const { rowCount } = await pool.query(
    `UPDATE mails SET state = 'sending' WHERE mail_id = $1 AND tries = $2 AND state = 'queued'`,
    [mailId, tries],
  )
  if (rowCount !== 1) throw new Error('another sender has claimed the mail')
}

/** Removes a mail that was sent or permanently rejected. Does nothing if the claim has been lost. */
export async function removeMail(pool: Pool, { mailId, tries }: ClaimedMail): Promise<void> {
  await pool.query('DELETE FROM mails WHERE mail_id = $1 AND tries = $2', [mailId, tries])
}

/** Schedules the next attempt of a mail that was not accepted. Does nothing if the claim has been lost. */
export async function postponeMail(pool: Pool, { mailId, tries }: ClaimedMail, seconds: number): Promise<void> {
  await pool.query(
    `UPDATE mails SET state = 'queued', next_try_at = now() + make_interval(secs => $3)
     WHERE mail_id = $1 AND tries = $2`,
    [mailId, tries, seconds],
  )
}

/** Ends a mail that may have been accepted. It stays until it expires. Does nothing if the claim has been lost. */
export async function markUncertain(pool: Pool, { mailId, tries }: ClaimedMail): Promise<void> {
  await pool.query(`UPDATE mails SET state = 'uncertain' WHERE mail_id = $1 AND tries = $2`, [mailId, tries])
}

/** Ends the mails whose sender died after the server may have got the content. @returns their ids */
export async function markInterrupted(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ mailId: string }>(
    `UPDATE mails SET state = 'uncertain' WHERE state = 'sending' AND next_try_at <= now() RETURNING mail_id`,
  )
  return rows.map(({ mailId }) => mailId)
}

/** Removes expired mails. @returns the number of those that were never sent */
export async function removeExpiredMails(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ state: string }>('DELETE FROM mails WHERE expires_at <= now() RETURNING state')
  return rows.filter(({ state }) => state === 'queued').length
}

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

/** Returns the milliseconds until a mail is due, expires, or has been interrupted; undefined if there is none. */
export async function findMsUntilNext(pool: Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `SELECT extract(epoch FROM min(CASE WHEN state = 'uncertain' THEN expires_at ELSE least(next_try_at, expires_at) END)
       - now())::float8 * 1000 AS ms FROM mails`,
  )
  return rows[0]?.ms ?? undefined
}
