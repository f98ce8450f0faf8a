import type { Page } from '@wp/contracts'
import { decodeCursor, newId, paginateBy, type Query, type Row } from '@wp/database'
import type { Passkey } from '#db'

export type PasskeyRow = Row<Passkey, 'passkeyId' | 'name' | 'isSynced' | 'createdAt' | 'lastUsedAt'>

const columns = 'passkey_id, name, is_synced, created_at, last_used_at'

/** Lists the passkeys of a user, newest first. */
export async function listPasskeyRows(
  query: Query,
  userId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<PasskeyRow>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const rows = await query<PasskeyRow>(
    `SELECT ${columns} FROM passkeys WHERE user_id = $1
     ${after === undefined ? '' : 'AND (created_at, passkey_id) < ($3, $4)'}
     ORDER BY created_at DESC, passkey_id DESC LIMIT $2`,
    [userId, limit + 1, ...(after === undefined ? [] : [after.createdAt, after.id])],
  )
  return paginateBy(rows, limit, 'passkeyId')
}

export type PasskeyDescriptor = Row<Passkey, 'credentialId' | 'transports'>

/** Lists the credentials of a user, as options name them to a browser. */
export const listDescriptors = (query: Query, userId: string): Promise<PasskeyDescriptor[]> =>
  query<PasskeyDescriptor>(
    'SELECT credential_id, transports FROM passkeys WHERE user_id = $1 ORDER BY created_at DESC',
    [userId],
  )

interface NewPasskey extends Row<Passkey, 'userId' | 'credentialId' | 'counter' | 'transports' | 'name' | 'isSynced'> {
  publicKey: Uint8Array
}

/** Inserts a passkey; undefined if any account has its credential already. */
export async function insertPasskey(query: Query, passkey: NewPasskey): Promise<PasskeyRow | undefined> {
  const { userId, credentialId, publicKey, counter, transports, name, isSynced } = passkey
  const [row] = await query<PasskeyRow>(
    `INSERT INTO passkeys (passkey_id, user_id, credential_id, public_key, counter, transports, name, is_synced)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (credential_id) DO NOTHING RETURNING ${columns}`,
    [newId('pkey'), userId, credentialId, Buffer.from(publicKey), counter, transports, name, isSynced],
  )
  return row
}

/** Counts the passkeys of a user. Locks the user, so that concurrent changes of the number are serialized. */
export async function lockAndCountPasskeys(query: Query, userId: string): Promise<number> {
  await query('SELECT FROM users WHERE user_id = $1 FOR NO KEY UPDATE', [userId])
  const [row] = await query<{ count: number }>('SELECT count(*)::int AS count FROM passkeys WHERE user_id = $1', [
    userId,
  ])
  return row?.count ?? 0
}

type PasskeyOwner = Row<Passkey, 'passkeyId' | 'userId'>

/** Renames a passkey of a user; without a name it returns it as it is. */
export async function renamePasskey(
  query: Query,
  { passkeyId, userId }: PasskeyOwner,
  name: string | undefined,
): Promise<PasskeyRow | undefined> {
  const [row] = await query<PasskeyRow>(
    `UPDATE passkeys SET name = coalesce($3, name) WHERE passkey_id = $1 AND user_id = $2 RETURNING ${columns}`,
    [passkeyId, userId, name ?? null],
  )
  return row
}

/** Deletes a passkey of a user. @returns false if there is none */
export async function deletePasskeyRow(query: Query, { passkeyId, userId }: PasskeyOwner): Promise<boolean> {
  const rows = await query('DELETE FROM passkeys WHERE passkey_id = $1 AND user_id = $2 RETURNING passkey_id', [
    passkeyId,
    userId,
  ])
  return rows.length > 0
}

/** A passkey that is presented at a sign-in. */
interface PresentedPasskey extends Row<Passkey, 'passkeyId' | 'userId' | 'credentialId' | 'publicKey' | 'counter'> {
  isUserDisabled: boolean
}

/** Finds a credential of any account, and locks it: its counter is compared and stored by one request at a time. */
export async function lockCredential(query: Query, credentialId: string): Promise<PresentedPasskey | undefined> {
  const [row] = await query<PresentedPasskey>(
    `SELECT p.passkey_id, p.user_id, p.credential_id, p.public_key, p.counter,
       u.disabled_at IS NOT NULL AS is_user_disabled
     FROM passkeys p JOIN users u USING (user_id) WHERE p.credential_id = $1 FOR UPDATE OF p`,
    [credentialId],
  )
  return row
}

export const recordPasskeyUse = (
  query: Query,
  passkeyId: string,
  { counter, isSynced }: { counter: number; isSynced: boolean },
): Promise<unknown> =>
  query('UPDATE passkeys SET counter = $2, is_synced = $3, last_used_at = clock_timestamp() WHERE passkey_id = $1', [
    passkeyId,
    counter,
    isSynced,
  ])

/** Marks a challenge as answered. @returns false if it was answered before */
export async function redeemChallenge(query: Query, hash: string, expiresAt: Date): Promise<boolean> {
  const rows = await query(
    'INSERT INTO used_passkey_challenges (hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING hash',
    [hash, expiresAt],
  )
  return rows.length > 0
}
