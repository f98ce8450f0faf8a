import type { Database } from '@wp/database'
import type { KeyStanding, MachineStanding, Membership, UserStanding } from '../resolve/standing.ts'

type Pool = Database['worker']

// Presented credentials lie across workspaces, so the worker role looks them up. Each is one statement that every
// connection prepares once, because every request of the platform waits for one of them.

const place =
  'w.workspace_id, w.shard, w.location, w.credential_per_minute, w.workspace_per_minute, w.deleted_at IS NOT NULL AS workspace_deleted'

const keyColumns = `k.key_id, k.scopes, k.shard AS key_shard, k.location AS key_location, k.deleted_at IS NOT NULL AS deleted,
  k.expires_at, k.expires_at <= now() AS expired, ${place}`

const keyByHash = {
  name: 'key-by-hash',
  text: `SELECT ${keyColumns}, s.expires_at AS replaced_at, coalesce(s.expires_at <= now(), false) AS replaced
    FROM api_key_secrets s
    JOIN api_keys k ON k.key_id = s.key_id
    JOIN workspaces w ON w.workspace_id = k.workspace_id
    WHERE s.hash = $1`,
}

const keyById = {
  name: 'key-by-id',
  text: `SELECT ${keyColumns}, NULL::timestamptz AS replaced_at, false AS replaced
    FROM api_keys k
    JOIN workspaces w ON w.workspace_id = k.workspace_id
    WHERE k.key_id = $1`,
}

const machine = {
  name: 'machine',
  text: `SELECT p.client_id, p.scopes, p.status, p.deleted_at IS NOT NULL AS deleted, p.tokens_valid_after, ${place}
    FROM service_principals p
    JOIN workspaces w ON w.workspace_id = p.workspace_id
    WHERE p.client_id = $1`,
}

const user = {
  name: 'user',
  text: `SELECT u.disabled_at IS NOT NULL AS disabled, m.built_in_role, r.scopes, ${place}
    FROM users u
    LEFT JOIN memberships m ON m.user_id = u.user_id
    LEFT JOIN workspaces w ON w.workspace_id = m.workspace_id
    LEFT JOIN roles r ON r.role_id = m.role_id
    WHERE u.user_id = $1
    ORDER BY m.created_at, m.workspace_id`,
}

/** An API key by the SHA-256 of the whole key. */
export const keyStandingByHash = async (pool: Pool, hash: string): Promise<KeyStanding | undefined> =>
  (await pool.query<KeyStanding>({ ...keyByHash, values: [hash] })).rows[0]

/** An API key by its id, as a stored caller names it. */
export const keyStandingById = async (pool: Pool, keyId: string): Promise<KeyStanding | undefined> =>
  (await pool.query<KeyStanding>({ ...keyById, values: [keyId] })).rows[0]

/** A service principal. */
export const machineStanding = async (pool: Pool, clientId: string): Promise<MachineStanding | undefined> =>
  (await pool.query<MachineStanding>({ ...machine, values: [clientId] })).rows[0]

type UserRow = { disabled: boolean } & (Membership | { workspace_id: null })

/** A user with all memberships. */
export async function userStanding(pool: Pool, userId: string): Promise<UserStanding | undefined> {
  const { rows } = await pool.query<UserRow>({ ...user, values: [userId] })
  const [first] = rows
  if (first === undefined) return undefined
  const memberships = rows.filter((row): row is UserRow & Membership => row.workspace_id !== null)
  return { user_id: userId, disabled: first.disabled, memberships }
}

/** A service principal as the token endpoint needs it: with the hashes of the secrets that are good now. */
export type ClientStanding = MachineStanding & { hashes: string[] }

const client = {
  name: 'client',
  text: `SELECT p.client_id, p.scopes, p.status, p.deleted_at IS NOT NULL AS deleted, p.tokens_valid_after, ${place},
      ARRAY(SELECT s.hash FROM client_secrets s
            WHERE s.client_id = p.client_id AND (s.expires_at IS NULL OR s.expires_at > now())) AS hashes
    FROM service_principals p
    JOIN workspaces w ON w.workspace_id = p.workspace_id
    WHERE p.client_id = $1`,
}

/** A client that asks for a token. */
export const clientStanding = async (pool: Pool, clientId: string): Promise<ClientStanding | undefined> =>
  (await pool.query<ClientStanding>({ ...client, values: [clientId] })).rows[0]
