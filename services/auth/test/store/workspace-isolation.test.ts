import { afterAll, describe, expect, it } from '@jest/globals'
import { serviceCaller } from '@wp/events'
import { startTestAuth } from '../fixture/auth.ts'

const tenantTables = [
  'authorization_codes',
  'workspaces',
  'roles',
  'memberships',
  'service_principals',
  'client_secrets',
  'api_keys',
  'api_key_secrets',
  'invitations',
  'workspace_deletions',
  'workspace_deletion_reports',
  'scim_users',
  'scim_groups',
  'scim_group_members',
  'sign_in_policies',
  'group_roles',
  'saml_assertions',
  'saml_providers',
  'saved_views',
  'sso_connections',
  'sso_domains',
]

/** Tables of users, who can be members of many workspaces, and of the service itself. */
const sharedTables = [
  'counters',
  'devices',
  'external_identities',
  'identity_changes',
  'login_codes',
  'logins',
  'mails',
  'passkey_settings',
  'passkeys',
  'refresh_tokens',
  'revoked_tokens',
  'sessions',
  'signing_keys',
  'used_passkey_challenges',
  'users',
]

const auth = await startTestAuth()
const other = await auth.workspace()
await auth.rows(
  `INSERT INTO roles (role_id, workspace_id, name, scopes) SELECT 'role_' || workspace_id, workspace_id, 'x', '{}' FROM workspaces`,
)
await auth.rows(
  `INSERT INTO invitations (invitation_id, workspace_id, user_id, built_in_role, token_hash, invited_by, expires_at)
   SELECT 'inv_' || workspace_id, workspace_id, $1, 'viewer', workspace_id, 'x', now() FROM workspaces`,
  [other.userId],
)
await auth.rows(
  `INSERT INTO authorization_codes (hash, workspace_id, user_id, method, client_id, client_name, redirect_uri,
     code_challenge, scopes, expires_at)
   SELECT workspace_id, workspace_id, $1, 'mail', 'c', 'c', 'r', 'x', '{}', now() FROM workspaces`,
  [other.userId],
)
await auth.rows(
  `INSERT INTO workspace_deletions (deletion_id, workspace_id, shard, requested_by, status, starts_at)
   SELECT workspace_id, workspace_id, shard, $1, 'cancelled', now() FROM workspaces`,
  [other.userId],
)
await auth.rows(
  `INSERT INTO workspace_deletion_reports (deletion_id, service, workspace_id, deleted, retained)
   SELECT workspace_id, 'data', workspace_id, '{}', '{}' FROM workspaces`,
)
await auth.rows(
  `WITH u AS (INSERT INTO scim_users (scim_user_id, workspace_id, user_id, user_name, active, attributes)
     SELECT 'scu_' || workspace_id, workspace_id, $1, 'x', true, '{}' FROM workspaces),
   g AS (INSERT INTO scim_groups (scim_group_id, workspace_id, display_name)
     SELECT 'scg_' || workspace_id, workspace_id, 'x' FROM workspaces),
   m AS (INSERT INTO scim_group_members (workspace_id, scim_group_id, scim_user_id)
     SELECT workspace_id, 'scg_' || workspace_id, 'scu_' || workspace_id FROM workspaces),
   c AS (INSERT INTO sso_connections (workspace_id, issuer, client_id, secret_sealed)
     SELECT workspace_id, 'i', 'c', 's' FROM workspaces),
   i AS (INSERT INTO saml_providers (workspace_id, sign_in_url, signs_requests, own_certificate)
     SELECT workspace_id, 'u', false, 'c' FROM workspaces),
   v AS (INSERT INTO saml_assertions (workspace_id, assertion_hash, code_hash, request_id, expires_at)
     SELECT workspace_id, 'a', workspace_id, 'r', now() FROM workspaces),
   w AS (INSERT INTO saved_views (workspace_id, user_id, page, views)
     SELECT workspace_id, user_id, 'x', '[]' FROM memberships),
   d AS (INSERT INTO sso_domains (workspace_id, domain, token) SELECT workspace_id, 'd', 't' FROM workspaces),
   p AS (INSERT INTO sign_in_policies (workspace_id, default_built_in_role) SELECT workspace_id, 'viewer' FROM workspaces)
   INSERT INTO group_roles (workspace_id, position, group_name, built_in_role)
   SELECT workspace_id, 1, 'x', 'viewer' FROM workspaces`,
  [other.userId],
)
await auth.request('POST', '/v1/auth/api-key', { caller: other.owner })
const body = { name: 'x', scopes: ['data:read'] }
await auth.request('POST', '/v1/auth/admin/service-principals', { caller: other.owner, body })
afterAll(() => auth.stop())

const workspacesIn = async (table: string, workspaceId: string | null) =>
  await auth.context.database.read({ workspaceId }, async (_db, query) => {
    const rows = await query<{ workspaceId: string }>(`SELECT DISTINCT workspace_id FROM ${table}`)
    return rows.map((row) => row.workspaceId)
  })

describe('row-level security', () => {
  it('is forced on exactly the tables with a workspace', async () => {
    const rows = await auth.rows<{ relname: string; relforcerowsecurity: boolean }>(
      `SELECT relname, relforcerowsecurity FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations' ORDER BY relname`,
    )
    expect(rows.filter((row) => row.relforcerowsecurity).map((row) => row.relname)).toEqual(tenantTables.toSorted())
    expect(rows.filter((row) => !row.relforcerowsecurity).map((row) => row.relname)).toEqual(sharedTables)
  })

  it.each(tenantTables)('shows only rows of the workspace in %s', async (table) => {
    expect(await workspacesIn(table, other.workspaceId)).toEqual([other.workspaceId])
    expect(await workspacesIn(table, auth.seeded.workspace_id)).toEqual([auth.seeded.workspace_id])
    expect(await workspacesIn(table, null)).toEqual([])
  })

  it('rejects writes to another workspace', async () => {
    const caller = serviceCaller('auth', { shard: 'x', workspaceId: other.workspaceId, requestId: 'isolation' })
    const writing = auth.context.database.transact(caller, (tx) =>
      tx.query(`INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES ($1, $2, 'owner')`, [
        auth.seeded.workspace_id,
        other.userId,
      ]),
    )
    await expect(writing).rejects.toThrow(/row-level security/)
  })

  it('denies the request role access to signing keys', async () => {
    const reading = auth.context.database.read({ workspaceId: other.workspaceId }, (_db, query) =>
      query('SELECT * FROM signing_keys'),
    )
    await expect(reading).rejects.toThrow(/permission denied/)
  })
})
