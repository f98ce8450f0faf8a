import { afterAll, describe, expect, it } from '@jest/globals'
import { deleteExpired } from '@wp/jobs/background'
import { expiryRules } from '../../src/store/expired-rows.ts'
import { startTestAuth } from '../fixture/auth.ts'

const auth = await startTestAuth()
const { workspaceId: workspace, userId: user, owner } = await auth.workspace()
const key = (await auth.request('POST', '/v1/auth/api-key', { caller: owner })).body.data.key_id
const { body } = await auth.request('POST', '/v1/auth/admin/service-principals', {
  caller: owner,
  body: { name: 'one', scopes: ['data:read'] },
})
const session = (await auth.signIn(user)).session.sessionId
await auth.rows(`INSERT INTO roles (role_id, workspace_id, name, scopes) VALUES ('role_1', $1, 'x', '{}')`, [workspace])
/** The subjects of the changes, created without the operations of auth: triggers must see every change. */
const subjects = { workspace, user, key, principal: body.data.client_id, session, role: 'role_1' }
afterAll(() => auth.stop())

const lastChange = async () =>
  Number((await auth.rows<{ id: string }>('SELECT max(change_id) AS id FROM identity_changes'))[0]?.id)

/** Runs a statement and returns the changes it recorded. */
async function changesOf(statement: string): Promise<string[]> {
  const before = await lastChange()
  await auth.rows(statement.replaceAll(/(?<!\w):(\w+)/g, (_, name: keyof typeof subjects) => `'${subjects[name]}'`))
  const rows = await auth.rows<{ type: string; subjectId: string }>(
    'SELECT type, subject_id FROM identity_changes WHERE change_id > $1 ORDER BY change_id',
    [before],
  )
  return rows.map(({ type, subjectId: id }) => `${type} ${id}`)
}

type Subject = keyof typeof subjects
const recorded: [statement: string, type: string, subject: Subject][] = [
  [`UPDATE api_keys SET scopes = '{}' WHERE key_id = :key`, 'credential', 'key'],
  [`UPDATE api_keys SET expires_at = now() WHERE key_id = :key`, 'credential', 'key'],
  [`UPDATE api_keys SET deleted_at = now() WHERE key_id = :key`, 'credential', 'key'],
  [`UPDATE api_key_secrets SET expires_at = now() WHERE key_id = :key`, 'credential', 'key'],
  [`UPDATE service_principals SET status = 'disabled' WHERE client_id = :principal`, 'principal', 'principal'],
  [`UPDATE service_principals SET scopes = '{}' WHERE client_id = :principal`, 'principal', 'principal'],
  [`UPDATE service_principals SET tokens_valid_after = now() WHERE client_id = :principal`, 'principal', 'principal'],
  [`UPDATE service_principals SET deleted_at = now() WHERE client_id = :principal`, 'principal', 'principal'],
  [`INSERT INTO revoked_tokens VALUES ('one', :principal, now() + interval '1 hour')`, 'principal', 'principal'],
  [`UPDATE sessions SET ended_at = now() WHERE session_id = :session`, 'credential', 'session'],
  [`UPDATE users SET disabled_at = now() WHERE user_id = :user`, 'principal', 'user'],
  [`UPDATE roles SET scopes = '{data:read}' WHERE role_id = :role`, 'workspace', 'workspace'],
  [
    `UPDATE memberships SET built_in_role = NULL, role_id = :role WHERE workspace_id = :workspace AND user_id = :user`,
    'principal',
    'user',
  ],
  [`DELETE FROM memberships WHERE workspace_id = :workspace AND user_id = :user`, 'principal', 'user'],
  [
    `INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES (:workspace, :user, 'viewer')`,
    'principal',
    'user',
  ],
  [`UPDATE workspaces SET workspace_per_minute = 5 WHERE workspace_id = :workspace`, 'workspace', 'workspace'],
  [`UPDATE workspaces SET credential_per_minute = 5 WHERE workspace_id = :workspace`, 'workspace', 'workspace'],
  [`UPDATE workspaces SET deleted_at = now() WHERE workspace_id = :workspace`, 'workspace', 'workspace'],
  [
    `INSERT INTO platform.plan_limits VALUES (:workspace, 'team', 1, 5, '{}', '{}', 30)
     ON CONFLICT (workspace_id) DO UPDATE SET credential_per_minute = 5`,
    'workspace',
    'workspace',
  ],
  [
    `INSERT INTO platform.meter_limits VALUES (:workspace, 'api_calls', true, now() + interval '1 day', 1)`,
    'workspace',
    'workspace',
  ],
  [`UPDATE platform.meter_limits SET exhausted = false WHERE workspace_id = :workspace`, 'workspace', 'workspace'],
]

const notRecorded = [
  `UPDATE api_keys SET last_used_at = now(), name = 'x' WHERE key_id = :key`,
  `UPDATE service_principals SET last_used_at = now() WHERE client_id = :principal`,
  `UPDATE sessions SET last_used_at = now() WHERE session_id = :session`,
  `UPDATE users SET name = 'x' WHERE user_id = :user`,
  `UPDATE workspaces SET name = 'x' WHERE workspace_id = :workspace`,
  `DELETE FROM revoked_tokens`,
  `DELETE FROM sessions WHERE session_id = :session`,
]

describe('the identity change log', () => {
  it.each(recorded)('records %s', async (statement, type, subject) => {
    expect(await changesOf(statement)).toEqual([`${type} ${subjects[subject]}`])
  })

  it.each(notRecorded)('does not record %s', async (statement) => {
    expect(await changesOf(statement)).toEqual([])
  })

  it('records a change of every column that resolve reads', async () => {
    // Columns of the statements in credential-lookup.ts that cannot change, or that only tell a row from another.
    const constant = ['hash', 'user_id', 'role_id', 'session_id', 'client_id', 'key_id', 'workspace_id', 'meter']
    const read: Record<string, string[]> = {
      'public.api_keys': ['scopes', 'shard', 'location', 'deleted_at', 'expires_at', 'portal_link_id', 'customer_id'],
      'public.api_key_secrets': ['expires_at'],
      'public.service_principals': ['scopes', 'status', 'deleted_at', 'tokens_valid_after'],
      'public.sessions': ['expires_at', 'ended_at'],
      'public.sso_connections': ['is_required', 'break_glass_user_id'],
      'public.users': ['disabled_at'],
      'public.memberships': ['built_in_role', 'role_id'],
      'public.roles': ['scopes'],
      'public.workspaces': ['shard', 'location', 'deleted_at', 'credential_per_minute', 'workspace_per_minute'],
      'platform.plan_limits': ['credential_per_minute', 'workspace_per_minute'],
      'platform.meter_limits': ['exhausted', 'period_end'],
    }
    const rows = await auth.rows<{ name: string; columns: string[] }>(
      `SELECT n.nspname || '.' || c.relname AS name,
         array(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (t.tgattr)) AS columns
       FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE t.tgname = 'identity_change' AND cardinality(t.tgattr::int2[]) > 0`,
    )
    const watched = Object.fromEntries(
      rows.map(({ name, columns }) => [
        name,
        columns.filter((column) => !constant.includes(column) || read[name]?.includes(column)).toSorted(),
      ]),
    )
    expect(watched).toEqual(
      Object.fromEntries(Object.entries(read).map(([name, columns]) => [name, columns.toSorted()])),
    )
  })

  it('is not accessible to requests', async () => {
    const reading = auth.context.database.read({ workspaceId: subjects.workspace }, (_db, query) =>
      query('SELECT FROM identity_changes'),
    )
    await expect(reading).rejects.toThrow(/permission denied/)
  })

  it('is kept for an hour, its last change longer', async () => {
    await auth.rows(
      `INSERT INTO identity_changes (number, type, subject_id, recorded_at)
       SELECT 1000000 + n, 'principal', 'retained', now() - n * interval '20 minutes' FROM generate_series(1, 4) AS n`,
    )
    for (const rule of expiryRules) await deleteExpired(auth.context.database.worker, rule)
    const kept = await auth.rows<{ number: string }>(
      `SELECT number FROM identity_changes WHERE subject_id = 'retained' ORDER BY number`,
    )
    expect(kept.map(({ number }) => Number(number))).toEqual([1_000_001, 1_000_002, 1_000_004])
  })
})
