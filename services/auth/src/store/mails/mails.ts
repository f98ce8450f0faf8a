import type { Database } from '@wp/database'
import type { Tx } from '../transaction.ts'

type Pool = Database['worker']

export async function insertMail(
  { query }: Tx,
  { mailId, sealed, expiresAt }: { mailId: string; sealed: string; expiresAt: Date },
): Promise<void> {
  await query('INSERT INTO mails (mail_id, sealed, expires_at) VALUES ($1, $2, $3)', [mailId, sealed, expiresAt])
}

/** A mail that is ours to send until its lease ends. `tries` tells this claim from later ones. */
export interface ClaimedMail {
  mail_id: string
  sealed: string
  tries: number
  expires_at: Date
}

/**
 * Claims mails that are due. The lease is the time of the next try: while it runs no other replica sees them, and when
 * this one dies they are due again by themselves.
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

/** Removes a mail that was sent, or never can be. Nothing happens when somebody else has claimed it since. */
export async function removeMail(pool: Pool, { mail_id, tries }: ClaimedMail): Promise<void> {
  await pool.query('DELETE FROM mails WHERE mail_id = $1 AND tries = $2', [mail_id, tries])
}

/** Gives a mail back, to be tried again. Nothing happens when somebody else has claimed it since. */
export async function postponeMail(pool: Pool, { mail_id, tries }: ClaimedMail, seconds: number): Promise<void> {
  await pool.query(
    'UPDATE mails SET next_try_at = now() + make_interval(secs => $3) WHERE mail_id = $1 AND tries = $2',
    [mail_id, tries, seconds],
  )
}

/** Removes mails that came too late to be of use. @returns how many */
export async function removeExpiredMails(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query('DELETE FROM mails WHERE expires_at <= now()')
  return rowCount ?? 0
}
