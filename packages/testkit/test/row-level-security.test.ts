import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createTestDatabase, hasDatabase, type TestDatabase } from '@wp/testkit'
import { Client, DatabaseError, escapeIdentifier } from 'pg'

const services = readdirSync(join(import.meta.dirname, '../../../services'))
  .filter(hasDatabase)
  .sort()

/** Tables without a workspace, each with the reason. What is not here must have one. */
const withoutWorkspace: Record<string, string> = {
  'platform.inbox': 'names events, by consumer',
  'platform.streams': 'what the relay knows of its stream',
  'platform.migrations': 'the history of the platform tables',
  'public._prisma_migrations': "the history of the service's own",
  'public.users': 'a person may be in several workspaces',
  'public.signing_keys': 'sign the tokens of all; no request can read them',
  'public.sessions': 'a person signs in, not a member of a workspace',
  'public.refresh_tokens': 'those of sessions; kept as hashes',
  'public.revoked_tokens': 'ids of tokens, which say nothing without the token',
  'public.logins': 'of whoever asks to sign in, before anybody knows who that is',
  'public.login_codes': 'what a browser carries back from signing in; kept as hashes',
  'public.external_identities': 'accounts of a person elsewhere',
  'public.mails': 'sealed, and addressed to people',
  'public.counters': 'how often something was tried, by whoever',
  'public.fan_out_floor': 'up to where the stream was fanned out; no request can read it',
}

/** Tables with a workspace that requests can only add to, never read: nothing to wall off, and no policy. */
const writeOnly: Record<string, string> = {
  'platform.outbox': 'emptied by the relay; an event may belong to a workspace just entered',
}

/** Tables that nothing of the service may change or remove from; of some it may do one of the two. */
const appendOnly: Record<string, Partial<Record<'updated' | 'deleted', string>>> = {
  'public.audit_chains': { deleted: 'permission denied' },
  'public.audit_records': { updated: 'permission denied', deleted: 'permission denied' },
  'public.audit_personal': { updated: 'permission denied', deleted: 'permission denied' },
  'public.audit_targets': { updated: 'permission denied', deleted: 'permission denied' },
}

const mine = 'ws_mine'
const other = 'ws_other'

interface Table {
  name: string
  hasWorkspace: boolean
  isForced: boolean
}

it('finds the databases of the services', () => {
  expect(services).toEqual(
    expect.arrayContaining(['audit', 'auth', 'data', 'integrations', 'solutions', 'system', 'webhook-delivery']),
  )
})

describe.each(services)('the database of %s', (service) => {
  let database: TestDatabase
  let admin: Client
  let app: Client
  let tables: Table[]
  beforeAll(async () => {
    database = await createTestDatabase(service)
    admin = await connected(database.adminUrl)
    app = await connected(database.url)
    tables = await allTables(admin)
  })
  afterAll(async () => {
    await Promise.all([admin.end(), app.end()])
    await database.drop()
  })

  it('has no table without a workspace but those known to need none', () => {
    const found = tables.filter(({ hasWorkspace }) => !hasWorkspace).map(({ name }) => name)
    expect(found.filter((name) => !(name in withoutWorkspace))).toEqual([])
  })

  it('forces row-level security on every table with a workspace that requests can read', () => {
    const open = tables.filter(({ name, hasWorkspace, isForced }) => hasWorkspace && !isForced && !(name in writeOnly))
    expect(open).toEqual([])
  })

  it('serves requests as a role that is held by it', async () => {
    const { rows } = await app.query(
      `SELECT rolsuper, rolbypassrls, (SELECT count(*)::int FROM pg_class WHERE relowner = pg_roles.oid) AS owned,
              pg_has_role(current_user, 'wp_worker', 'member') AS "isWorker"
         FROM pg_roles WHERE rolname = current_user`,
    )
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, owned: 0, isWorker: false }])
  })

  it('shows, gives and takes nothing across workspaces, with no filter in the query', async () => {
    const seen: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const { name } of tables.filter(({ hasWorkspace }) => hasWorkspace)) {
      await dropChecks(admin, name)
      const columns = await neededColumns(admin, name)
      await admin.query(`SET session_replication_role = replica; ${insert(name, columns, mine, 'seed')}`)
      seen[name] = {
        own: await tryAs(app, mine, `SELECT FROM ${name}`),
        other: await tryAs(app, other, `SELECT FROM ${name}`),
        none: await tryAs(app, '', `SELECT FROM ${name}`),
        inserted: await tryAs(app, other, insert(name, columns, mine, 'forged')),
        updated: await tryAs(app, other, `UPDATE ${name} SET workspace_id = workspace_id`),
        deleted: await tryAs(app, other, `DELETE FROM ${name}`),
        // a condition that fails on the row it must not see
        probed: await tryAs(app, other, `SELECT FROM ${name} WHERE 1 / (length(workspace_id) - ${mine.length}) > 0`),
        left: (await admin.query(`SELECT FROM ${name}`)).rowCount,
      }
      expected[name] = name in writeOnly ? closed : { ...walled, ...appendOnly[name] }
    }
    expect(seen).toEqual(expected)
  })
})

/** What a workspace's own rows look like to others: not at all. */
const walled = {
  own: 1,
  other: 0,
  none: 0,
  inserted: 'row-level security',
  updated: 0,
  deleted: 0,
  probed: 0,
  left: 1,
}

/** A table that requests cannot read: adding is all they can do, which the last `left` shows. */
const closed = {
  own: 'permission denied',
  other: 'permission denied',
  none: 'permission denied',
  inserted: 1,
  updated: 'permission denied',
  deleted: 'permission denied',
  probed: 'permission denied',
  left: 2,
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

async function allTables(admin: Client): Promise<Table[]> {
  const { rows } = await admin.query<Table>(
    `SELECT n.nspname || '.' || c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS "isForced",
            EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id'
                       AND NOT a.attisdropped) AS "hasWorkspace"
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
      ORDER BY 1`,
  )
  return rows
}

/** The rows need not make sense, only be there; keys to other tables are not checked for a replica. */
async function dropChecks(admin: Client, table: string): Promise<void> {
  const { rows } = await admin.query<{ conname: string }>(
    `SELECT conname FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'`,
    [table],
  )
  for (const { conname } of rows) await admin.query(`ALTER TABLE ${table} DROP CONSTRAINT ${escapeIdentifier(conname)}`)
}

interface Column {
  name: string
  type: string
}

/** Columns that have to be given, beside the workspace. */
async function neededColumns(admin: Client, table: string): Promise<Column[]> {
  const { rows } = await admin.query<Column>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attnotnull
        AND NOT atthasdef AND attidentity = '' AND attname <> 'workspace_id'`,
    [table],
  )
  return rows
}

function insert(table: string, columns: Column[], workspaceId: string, word: string): string {
  const names = ['workspace_id', ...columns.map(({ name }) => escapeIdentifier(name))]
  const values = [`'${workspaceId}'`, ...columns.map(({ type }) => sampleOf(type, word))]
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`
}

function sampleOf(type: string, word: string): string {
  if (type.endsWith('[]')) return `'{}'`
  if (type.startsWith('timestamp')) return 'now()'
  const literal = { text: word, bytea: word, jsonb: '{}', boolean: 'false', integer: '0', bigint: '0', real: '0' }[type]
  if (literal === undefined) throw new Error(`say here how a value of type ${type} is made`)
  return `'${literal}'`
}

/** How many rows a statement touches, or what it is refused for. */
async function tryAs(app: Client, workspaceId: string, statement: string): Promise<unknown> {
  await app.query(`SELECT set_config('app.workspace_id', $1, false)`, [workspaceId])
  try {
    return (await app.query(statement)).rowCount
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== '42501') throw error
    return /row-level security|permission denied/.exec(error.message)?.[0]
  }
}
