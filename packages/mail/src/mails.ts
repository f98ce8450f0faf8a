import type { Database, Transaction } from '@wp/database'

type Pool = Database['worker']

export async function insertMail(
  { query }: Transaction,
  { mailId, sealed, expiresAt }: { mailId: string; sealed: string; expiresAt: Date },
): Promise<void> {
  await query('INSERT INTO mails (mail_id, sealed, expires_at) VALUES ($1, $2, $3)', [mailId, sealed, expiresAt])
}

/** A mail claimed until its lease ends. `tries` identifies the claim. */
export interface ClaimedMail {
  mail_id: string
  sealed: string
  tries: number
  expires_at: Date
}

/**
 * Claims up to `limit` due mails. The lease moves the time of the next attempt: until then no other replica claims
 * them, and if this one dies they become due again.
 */
export async function claimMails(
  pool: Pool,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<ClaimedMail[]> {
  const { rows } = await pool.query<ClaimedMail>(
    `UPDATE mails SET tries = tries + 1, next_try_at = now() + make_interval(secs => $2)
     WHERE mail_id IN (
       SELECT mail_id FROM mails WHERE next_try_at <= now() AND expires_at > now()
       ORDER BY next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING mail_id, sealed, tries, expires_at`,
    [limit, leaseSeconds],
  )
  return rows
}

/** Removes a mail that was sent or permanently rejected. Does nothing if the claim has been lost. */
export async function removeMail(pool: Pool, { mail_id, tries }: ClaimedMail): Promise<void> {
  await pool.query('DELETE FROM mails WHERE mail_id = $1 AND tries = $2', [mail_id, tries])
}

/** Schedules the next attempt. Does nothing if the claim has been lost. */
export async function postponeMail(pool: Pool, { mail_id, tries }: ClaimedMail, seconds: number): Promise<void> {
  await pool.query(
    'UPDATE mails SET next_try_at = now() + make_interval(secs => $3) WHERE mail_id = $1 AND tries = $2',
    [mail_id, tries, seconds],
  )
}

/** Removes expired mails. @returns their number */
export async function removeExpiredMails(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query('DELETE FROM mails WHERE expires_at <= now()')
  return rowCount ?? 0
}
