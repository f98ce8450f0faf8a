import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { serviceCaller } from '@wp/events'
import { startTestAuth, type TestAuth } from '../fixture/auth.ts'

const tenantTables = [
  'workspaces',
  'roles',
  'memberships',
  'service_principals',
  'client_secrets',
  'api_keys',
  'api_key_secrets',
  'invitations',
]

/** What belongs to users, who are members of many workspaces, or to the service itself. */
const sharedTables = [
  'counters',
  'external_identities',
  'login_codes',
  'logins',
  'mails',
  'refresh_tokens',
  'revoked_tokens',
  'sessions',
  'signing_keys',
  'users',
]

let auth: TestAuth
let other: Awaited<ReturnType<TestAuth['workspace']>>

beforeAll(async () => {
  auth = await startTestAuth()
  other = await auth.workspace()
  await auth.rows(
    `INSERT INTO roles (role_id, workspace_id, name, scopes) SELECT 'role_' || workspace_id, workspace_id, 'x', '{}' FROM workspaces`,
  )
  await auth.rows(
    `INSERT INTO invitations (invitation_id, workspace_id, user_id, built_in_role, token_hash, invited_by, expires_at)
     SELECT 'inv_' || workspace_id, workspace_id, $1, 'viewer', workspace_id, 'x', now() FROM workspaces`,
    [other.userId],
  )
  await auth.request('POST', '/v1/auth/api-key', { caller: other.owner })
  const body = { name: 'x', scopes: ['data:read'] }
  await auth.request('POST', '/v1/auth/admin/service-principals', { caller: other.owner, body })
})
afterAll(() => auth.stop())

const workspacesIn = async (table: string, workspaceId: string | null) =>
  await auth.context.database.read({ workspaceId }, async (_db, query) => {
    const rows = await query<{ workspace_id: string }>(`SELECT DISTINCT workspace_id FROM ${table}`)
    return rows.map((row) => row.workspace_id)
  })

describe('the database itself', () => {
  it('knows no table that is neither one workspace’s, nor the users’, nor the service’s own', async () => {
    const rows = await auth.rows<{ relname: string; relforcerowsecurity: boolean }>(
      `SELECT relname, relforcerowsecurity FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations' ORDER BY relname`,
    )
    expect(rows.filter((row) => row.relforcerowsecurity).map((row) => row.relname)).toEqual(tenantTables.toSorted())
    expect(rows.filter((row) => !row.relforcerowsecurity).map((row) => row.relname)).toEqual(sharedTables)
  })

  it.each(tenantTables)('shows of %s the rows of the workspace alone', async (table) => {
    expect(await workspacesIn(table, other.workspaceId)).toEqual([other.workspaceId])
    expect(await workspacesIn(table, auth.seeded.workspace_id)).toEqual([auth.seeded.workspace_id])
    expect(await workspacesIn(table, null)).toEqual([])
  })

  it('lets no request write into another workspace', async () => {
    const caller = serviceCaller('auth', { shard: 'x', workspaceId: other.workspaceId, requestId: 'isolation' })
    const writing = auth.context.database.transact(caller, (tx) =>
      tx.query(`INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES ($1, $2, 'owner')`, [
        auth.seeded.workspace_id,
        other.userId,
      ]),
    )
    await expect(writing).rejects.toThrow(/row-level security/)
  })

  it('keeps the keys that sign tokens from whoever serves requests', async () => {
    const reading = auth.context.database.read({ workspaceId: other.workspaceId }, (_db, query) =>
      query('SELECT * FROM signing_keys'),
    )
    await expect(reading).rejects.toThrow(/permission denied/)
  })
})
