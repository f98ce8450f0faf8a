import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createTestDatabase, hasDatabase, type TestDatabase } from '@wp/testkit'
import { Client, DatabaseError, escapeIdentifier } from 'pg'

const services = readdirSync(join(import.meta.dirname, '../../../services'))
  .filter(hasDatabase)
  .sort()

/** Tables without a workspace column, each with the reason. */
const withoutWorkspace: Record<string, string> = {
  'platform.inbox': 'event ids by consumer',
  'platform.quota_limits': 'its subject is a workspace or a user, and its policy compares with both',
  'platform.streams': 'the state of the stream for the relay',
  'platform.migrations': 'the history of the platform tables',
  'public._prisma_migrations': "the history of the service's own",
  'public.users': 'a user can be in several workspaces',
  'public.identity_changes': 'ids of credentials, principals and workspaces for the edges; requests cannot access it',
  'public.signing_keys': 'sign the tokens of all workspaces; requests cannot read them',
  'public.sessions': 'belong to a user, not to a workspace',
  'public.refresh_tokens': 'belong to sessions; stored as hashes',
  'public.revoked_tokens': 'ids of tokens',
  'public.logins': 'belong to a sign-in, before the user is known',
  'public.login_codes': 'returned to the browser after signing in; stored as hashes',
  'public.external_identities': 'accounts of a user at identity providers',
  'public.passkeys': 'belong to a user, who can be in several workspaces',
  'public.passkey_settings': 'belong to a user',
  'public.used_passkey_challenges': 'hashes of challenges of sign-ins, before the user is known',
  'public.devices': 'browsers of a user; stored as hashes',
  'public.mails': 'encrypted, and addressed to users',
  'public.counters': 'rate limits of sign-in, before the user is known',
  'public.fan_out_watermark': 'the position in the stream; requests cannot read it',
  'public.delivery_workers': 'processes that send deliveries; requests cannot read it',
  'public.search_feeds': 'the indexes of all workspaces in the search engine',
  'public.pending_sign_ins': 'belong to a browser, before the user is known',
  'public.assets': 'files of the console, the same for everyone',
  'public.invoice_counters': 'the last invoice number of a year, of all workspaces',
}

/** Tables with a workspace column that requests can only insert into, so they need no policy. */
const writeOnly: Record<string, string> = {
  'platform.outbox': 'read by the relay; an event may belong to a workspace that the user just joined',
}

const readOnly = { inserted: 'permission denied', updated: 'permission denied', deleted: 'permission denied' } as const

/** Tables of which the service may not change all rows. */
const restricted: Record<string, Partial<Record<'inserted' | 'updated' | 'deleted', string>>> = {
  'public.audit_chains': { deleted: 'permission denied' },
  'public.audit_records': { updated: 'permission denied', deleted: 'permission denied' },
  'public.audit_personal_data': { updated: 'permission denied', deleted: 'permission denied' },
  'public.audit_targets': { updated: 'permission denied', deleted: 'permission denied' },
  'public.audit_anchors': {
    inserted: 'permission denied',
    updated: 'permission denied',
    deleted: 'permission denied',
  },
  'public.audit_retention': { deleted: 'permission denied' },
  'public.audit_exports': { deleted: 'permission denied' },
  'public.audit_export_parts': { updated: 'permission denied', deleted: 'permission denied' },
  'public.request_entries': readOnly,
  'public.request_rings': readOnly,
  'public.request_days': readOnly,
  'public.plan_changes': { updated: 'permission denied', deleted: 'permission denied' },
  // Only the columns of its status.
  'public.invoices': { updated: 'permission denied' },
}

const mine = 'ws_mine'
const other = 'ws_other'

interface Table {
  name: string
  hasWorkspace: boolean
  isForced: boolean
}

it('the suite covers the databases of all services', () => {
  expect(services).toEqual(
    expect.arrayContaining([
      'ai',
      'audit',
      'auth',
      'billing',
      'console',
      'data',
      'integrations',
      'notifications',
      'solutions',
      'system',
      'webhook-delivery',
    ]),
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

  it('has a workspace column in every table that is not exempt', () => {
    const found = tables.filter(({ hasWorkspace }) => !hasWorkspace).map(({ name }) => name)
    expect(found.filter((name) => !(name in withoutWorkspace))).toEqual([])
  })

  it('forces row-level security on every readable table with a workspace column', () => {
    const open = tables.filter(({ name, hasWorkspace, isForced }) => hasWorkspace && !isForced && !(name in writeOnly))
    expect(open).toEqual([])
  })

  it('serves requests with a role that row-level security applies to', async () => {
    const { rows } = await app.query(
      `SELECT rolsuper, rolbypassrls, (SELECT count(*)::int FROM pg_class WHERE relowner = pg_roles.oid) AS owned,
              pg_has_role(current_user, 'wp_worker', 'member') AS "isWorker"
         FROM pg_roles WHERE rolname = current_user`,
    )
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, owned: 0, isWorker: false }])
  })

  it('prevents reads and writes of other workspaces without a filter in the query', async () => {
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
        // The condition would raise an error if it were evaluated on the hidden row.
        probed: await tryAs(app, other, `SELECT FROM ${name} WHERE 1 / (length(workspace_id) - ${mine.length}) > 0`),
        left: (await admin.query(`SELECT FROM ${name}`)).rowCount,
      }
      expected[name] = name in writeOnly ? insertOnly : { ...isolated, ...restricted[name] }
    }
    expect(seen).toEqual(expected)
  })
})

/** The expected results for a table with row-level security. */
const isolated = {
  own: 1,
  other: 0,
  none: 0,
  inserted: 'row-level security',
  updated: 0,
  deleted: 0,
  probed: 0,
  left: 1,
}

/** The expected results for a table that requests can only insert into. */
const insertOnly = {
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

/**
 * Drops check constraints, so that rows with sample values can be inserted. Foreign keys are not checked for a replica.
 */
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

/** Returns the required columns other than the workspace. */
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
  if (type.startsWith('json')) return `'{}'`
  if (type.startsWith('timestamp') || type === 'date') return 'now()'
  const uuid = '00000000-0000-4000-8000-000000000000'
  const literal = { text: word, bytea: word, uuid, boolean: 'false', integer: '0', bigint: '0', real: '0' }[type]
  if (literal === undefined) throw new Error(`there is no sample value for the type ${type}`)
  return `'${literal}'`
}

/** Runs a statement for a workspace. Returns the number of rows, or the reason of a denial. */
async function tryAs(app: Client, workspaceId: string, statement: string): Promise<unknown> {
  await app.query(`SELECT set_config('app.workspace_id', $1, false)`, [workspaceId])
  try {
    return (await app.query(statement)).rowCount
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== '42501') throw error
    return /row-level security|permission denied/.exec(error.message)?.[0]
  }
}
