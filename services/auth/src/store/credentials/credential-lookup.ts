import { type Database, joinExhaustedMeter, joinPlanLimits } from '@wp/database'
import { type PreparedStatement, queryPrepared } from '../cross-workspace.ts'
import type { ApiKeyRecord, MembershipRecord, ServicePrincipalRecord, SessionRecord, UserRecord } from './records.ts'

type Pool = Database['worker']

// Presented credentials belong to any workspace, so the worker role looks them up. There is one named (prepared)
// statement per kind of record and batch, because these lookups are on the critical path of every request.

// The limits of the plan, where the workspace has one that billing has sent.
const workspaceColumns = `w.workspace_id, w.shard, w.location, w.deleted_at IS NOT NULL AS workspace_deleted,
  coalesce(plan.credential_per_minute, w.credential_per_minute) AS credential_per_minute, w.workspace_per_minute,
  plan.workspace_per_minute AS plan_workspace_per_minute, exhausted.period_end AS calls_exhausted_until`
const planJoin = `${joinPlanLimits('w.workspace_id')} ${joinExhaustedMeter('api_calls', 'w.workspace_id')}`

const apiKeyColumns = `k.key_id, k.scopes, k.shard AS key_shard, k.location AS key_location, k.deleted_at IS NOT NULL AS deleted,
  k.expires_at, k.expires_at <= now() AS expired, k.portal_link_id, k.customer_id, ${workspaceColumns}`

const apiKeysByHashStatement = {
  name: 'api-keys-by-hash',
  text: `SELECT s.hash, ${apiKeyColumns}, s.expires_at AS replaced_at, coalesce(s.expires_at <= now(), false) AS replaced
    FROM api_key_secrets s
    JOIN api_keys k ON k.key_id = s.key_id
    JOIN workspaces w ON w.workspace_id = k.workspace_id ${planJoin}
    WHERE s.hash = ANY ($1)`,
}

const apiKeysByIdStatement = {
  name: 'api-keys-by-id',
  text: `SELECT ${apiKeyColumns}, NULL::timestamptz AS replaced_at, false AS replaced
    FROM api_keys k
    JOIN workspaces w ON w.workspace_id = k.workspace_id ${planJoin}
    WHERE k.key_id = ANY ($1)`,
}

const servicePrincipalColumns = `p.client_id, p.scopes, p.status, p.deleted_at IS NOT NULL AS deleted, p.tokens_valid_after, ${workspaceColumns}`

const servicePrincipalsStatement = {
  name: 'service-principals',
  text: `SELECT ${servicePrincipalColumns},
      ARRAY(SELECT r.token_id FROM revoked_tokens r
            WHERE r.client_id = p.client_id AND r.expires_at > now()) AS revoked_token_ids
    FROM service_principals p
    JOIN workspaces w ON w.workspace_id = p.workspace_id ${planJoin}
    WHERE p.client_id = ANY ($1)`,
}

const membershipJoins = `LEFT JOIN memberships m ON m.user_id = u.user_id
    LEFT JOIN workspaces w ON w.workspace_id = m.workspace_id ${planJoin}
    LEFT JOIN roles r ON r.role_id = m.role_id`

const usersStatement = {
  name: 'users',
  text: `SELECT u.user_id, u.disabled_at IS NOT NULL AS disabled, m.built_in_role, r.scopes, ${workspaceColumns}
    FROM users u ${membershipJoins}
    WHERE u.user_id = ANY ($1)
    ORDER BY m.created_at, m.workspace_id`,
}

const sessionsStatement = {
  name: 'sessions',
  text: `SELECT s.session_id, s.client_id, s.expires_at AS session_ends_at,
      s.ended_at IS NULL AND s.expires_at > now() AS session_live,
      u.user_id, u.disabled_at IS NOT NULL AS disabled, m.built_in_role, r.scopes, ${workspaceColumns},
      coalesce(sso.is_required AND s.method <> 'sso:' || m.workspace_id
        AND sso.break_glass_user_id IS DISTINCT FROM u.user_id, false) AS sso_missing
    FROM sessions s
    JOIN users u ON u.user_id = s.user_id ${membershipJoins}
    LEFT JOIN sso_connections sso ON sso.workspace_id = m.workspace_id
    WHERE s.session_id = ANY ($1)
    ORDER BY m.created_at, m.workspace_id`,
}

/** Finds API keys by the SHA-256 of the whole key. */
export const findApiKeysByHash = (pool: Pool, hashes: readonly string[]): Promise<Map<string, ApiKeyRecord>> =>
  findRows<ApiKeyRecord & { hash: string }>(pool, apiKeysByHashStatement, hashes, ({ hash }) => hash)

/** Finds API keys by id, for stored callers. */
export const findApiKeysById = (pool: Pool, keyIds: readonly string[]): Promise<Map<string, ApiKeyRecord>> =>
  findRows<ApiKeyRecord>(pool, apiKeysByIdStatement, keyIds, (row) => row.keyId)

export const findServicePrincipalsById = (
  pool: Pool,
  clientIds: readonly string[],
): Promise<Map<string, ServicePrincipalRecord>> =>
  findRows<ServicePrincipalRecord>(pool, servicePrincipalsStatement, clientIds, (row) => row.clientId)

async function findRows<Row extends object>(
  pool: Pool,
  statement: PreparedStatement,
  names: readonly string[],
  nameOf: (row: Row) => string,
): Promise<Map<string, Row>> {
  if (names.length === 0) return new Map()
  const rows = await queryPrepared<Row>(pool, statement, [names])
  return new Map(rows.map((row) => [nameOf(row), row]))
}

type UserRow = { userId: string; disabled: boolean } & (MembershipRecord | { workspaceId: null })

/** Finds users with all their memberships by user id. */
export async function findUsersById(pool: Pool, userIds: readonly string[]): Promise<Map<string, UserRecord>> {
  if (userIds.length === 0) return new Map()
  const rows = await queryPrepared<UserRow>(pool, usersStatement, [userIds])
  return groupRows(rows, (row) => row.userId, toUserRecord)
}

type SessionRow = UserRow & Pick<SessionRecord, 'sessionId' | 'clientId' | 'sessionLive' | 'sessionEndsAt'>

/** Finds sessions with their users and memberships by session id. */
export async function findSessionsById(pool: Pool, sessionIds: readonly string[]): Promise<Map<string, SessionRecord>> {
  if (sessionIds.length === 0) return new Map()
  const rows = await queryPrepared<SessionRow>(pool, sessionsStatement, [sessionIds])
  return groupRows(
    rows,
    (row) => row.sessionId,
    (first, all) => {
      const { sessionId, clientId, sessionLive, sessionEndsAt } = first
      return { ...toUserRecord(first, all), sessionId, clientId, sessionLive, sessionEndsAt }
    },
  )
}

/** Makes one record of all rows with the same key. */
function groupRows<Row, Made>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  make: (first: Row, all: readonly Row[]) => Made,
): Map<string, Made> {
  const groups = Map.groupBy(rows, nameOf)
  return new Map(
    [...groups].flatMap(([name, all]) => {
      const [first] = all
      return first === undefined ? [] : [[name, make(first, all)]]
    }),
  )
}

function toUserRecord({ userId, disabled }: UserRow, rows: readonly UserRow[]): UserRecord {
  const memberships = rows.filter((row): row is UserRow & MembershipRecord => row.workspaceId !== null)
  return { userId, disabled, memberships }
}

/** A service principal with the hashes of its valid secrets, for the token endpoint. */
export type ClientRecord = Omit<ServicePrincipalRecord, 'revokedTokenIds'> & { hashes: string[] }

const clientStatement = {
  name: 'client',
  text: `SELECT ${servicePrincipalColumns},
      ARRAY(SELECT s.hash FROM client_secrets s
            WHERE s.client_id = p.client_id AND (s.expires_at IS NULL OR s.expires_at > now())) AS hashes
    FROM service_principals p
    JOIN workspaces w ON w.workspace_id = p.workspace_id ${planJoin}
    WHERE p.client_id = $1`,
}

/** Finds the client of a token request. */
export const findClient = async (pool: Pool, clientId: string): Promise<ClientRecord | undefined> =>
  (await queryPrepared<ClientRecord>(pool, clientStatement, [clientId]))[0]
