import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createTestDatabase, eventually, type TestDatabase } from '@wp/testkit'
import { Client } from 'pg'
import { MigrationError, migrate, resolveMigration } from '../src/index.ts'
import { splitStatements } from '../src/migrations/apply-migration.ts'

const created: TestDatabase[] = []
const root = await mkdtemp(join(tmpdir(), 'migrations-'))
afterAll(async () => {
  await Promise.all(created.map((database) => database.drop()))
  await rm(root, { recursive: true })
})

let database: TestDatabase
let admin: Client
let dir: string
beforeEach(async () => {
  database = await createTestDatabase('database-fixture')
  created.push(database)
  dir = join(root, randomBytes(4).toString('hex'))
  await mkdir(dir)
  admin = new Client({ connectionString: database.adminUrl })
  await admin.connect()
})
afterEach(() => admin.end())

async function migration(name: string, sql: string): Promise<void> {
  await mkdir(join(dir, name), { recursive: true })
  await writeFile(join(dir, name, 'migration.sql'), sql)
}

const run = () => migrate({ ownerUrl: database.ownerUrl, dir })
const queryAsAdmin = async (text: string) => (await admin.query(text)).rows
const history = () => queryAsAdmin('SELECT * FROM _prisma_migrations ORDER BY started_at')

describe('migrate', () => {
  it('applies pending migrations once, in order, and records them in Prisma’s history table', async () => {
    const first = `CREATE TABLE boats (name text, workspace_id text); -- é\nSELECT platform.protect('boats');`
    await migration('20260102000000_second', `INSERT INTO boats VALUES ('Erna', 'ws_1')`)
    await migration('20260101000000_first', first)
    await writeFile(join(dir, 'migration_lock.toml'), 'provider = "postgresql"')
    expect(await run()).toEqual(['20260101000000_first', '20260102000000_second'])
    expect(await run()).toEqual([])
    expect((await history())[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      checksum: createHash('sha256').update(first).digest('hex'),
      finished_at: expect.anything(),
      migration_name: '20260101000000_first',
      logs: null,
      rolled_back_at: null,
      started_at: expect.anything(),
      applied_steps_count: 1,
    })
  })

  it('lets the owner, who is not a superuser, update the rows of protected tables', async () => {
    await migration('1_boats', `CREATE TABLE boats (name text, workspace_id text); SELECT platform.protect('boats');`)
    await run()
    await admin.query(`INSERT INTO boats VALUES ('Erna', 'ws_1'), ('Olga', 'ws_2')`)
    await migration('2_backfill', `UPDATE boats SET name = upper(name)`)
    await run()
    expect(await queryAsAdmin('SELECT name FROM boats ORDER BY name')).toEqual([{ name: 'ERNA' }, { name: 'OLGA' }])
    expect(await queryAsAdmin(`SELECT rolsuper FROM pg_roles WHERE rolname = 'wp_database_fixture_owner'`)).toEqual([
      { rolsuper: false },
    ])
  })

  it('applies each migration once when run concurrently, also without a transaction', async () => {
    await migration(
      '1_boats',
      'CREATE TABLE boats (name text); INSERT INTO boats SELECT generate_series(1, 20000)::text',
    )
    await migration(
      '2_index',
      '-- migrate: no-transaction\nDROP INDEX CONCURRENTLY IF EXISTS by_name;\nCREATE INDEX CONCURRENTLY by_name ON boats (name);',
    )
    const applied = await Promise.all([run(), run(), run()])
    expect(applied.flat().sort()).toEqual(['1_boats', '2_index'])
    expect(await queryAsAdmin(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'by_name'::regclass`)).toEqual([
      { indisvalid: true },
    ])
  })

  it('rejects a migration that was edited after it was applied', async () => {
    await migration('1_boats', 'CREATE TABLE boats (name text)')
    await run()
    await migration('1_boats', 'CREATE TABLE boats (name text, size int)')
    await expect(run()).rejects.toThrow('migration 1_boats was edited after it was applied')
    await expect(run()).rejects.toThrow(MigrationError)
  })

  it('ignores history entries of another release', async () => {
    await migration('1_boats', 'CREATE TABLE boats (name text)')
    await migration('2_newer', 'ALTER TABLE boats ADD COLUMN size int')
    await run()
    await rm(join(dir, '2_newer'), { recursive: true })
    expect(await run()).toEqual([])
  })

  it('rolls back a failing migration, reports the line, and applies it after it is corrected', async () => {
    await migration('1_boats', 'CREATE TABLE boats (name text);\nINSERT INTO\nboots VALUES (1);')
    await expect(run()).rejects.toThrow(
      'migration 1_boats failed and was rolled back: relation "boots" does not exist (42P01, line 3)',
    )
    expect(await queryAsAdmin(`SELECT to_regclass('boats') AS boats`)).toEqual([{ boats: null }])
    await migration('1_boats', 'CREATE TABLE boats (name text)')
    expect(await run()).toEqual(['1_boats'])
    const [failed, done] = await history()
    expect(failed).toMatchObject({
      finished_at: null,
      rolled_back_at: expect.anything(),
      logs: expect.stringContaining('boots'),
    })
    expect(done).toMatchObject({ finished_at: expect.anything(), rolled_back_at: null })
  })

  it('rejects a migration that ends its own transaction', async () => {
    await migration('1_boats', 'CREATE TABLE boats (name text); COMMIT;')
    await expect(run()).rejects.toThrow('it ends its own transaction')
  })

  it('stops at a partially applied migration until it is resolved', async () => {
    const text = (second: string) => `-- migrate: no-transaction\nCREATE TABLE boats (name text);\n${second};`
    await migration('1_boats', text('SELECT 1/0'))
    await expect(run()).rejects.toThrow('migration 1_boats failed and is partially applied: division by zero (22012')
    await expect(run()).rejects.toThrow('migration 1_boats is partially applied (division by zero')
    await admin.query('DROP TABLE boats')
    await resolveMigration(database.ownerUrl, '1_boats', 'rolled-back')
    await migration('1_boats', text('SELECT 1'))
    expect(await run()).toEqual(['1_boats'])
    await expect(resolveMigration(database.ownerUrl, '1_boats', 'applied')).rejects.toThrow('is not partially applied')
  })

  it('continues after a migration that was completed by hand', async () => {
    await migration('1_boats', '-- migrate: no-transaction\nSELECT 1/0')
    await expect(run()).rejects.toThrow('partially applied')
    await resolveMigration(database.ownerUrl, '1_boats', 'applied')
    expect(await run()).toEqual([])
  })

  it('resets session settings between migrations', async () => {
    await migration('1_odd', `SET search_path = ''; SET lock_timeout = 0`)
    await migration('2_boats', 'CREATE TABLE boats (name text)')
    expect(await run()).toEqual(['1_odd', '2_boats'])
  })

  it('retries when it does not get a lock within three seconds', async () => {
    await migration('1_boats', 'CREATE TABLE boats (name text)')
    await run()
    await migration('2_size', 'ALTER TABLE boats ADD COLUMN size int')
    await admin.query('BEGIN; SELECT FROM boats')
    const migrating = run()
    const waiting =
      'SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())'
    await eventually(async () => (await queryAsAdmin(waiting)).length === 1)
    await eventually(async () => (await queryAsAdmin(waiting)).length === 0)
    await admin.query('COMMIT')
    expect(await migrating).toEqual(['2_size'])
  })

  it('fails when the folder does not exist', async () => {
    await expect(migrate({ ownerUrl: database.ownerUrl, dir: join(root, 'nowhere') })).rejects.toThrow('ENOENT')
  })
})

describe('splitStatements', () => {
  it('splits at semicolons outside comments, strings and quotes', () => {
    const script = `-- a; comment
      INSERT INTO t VALUES ('it''s; fine', "odd;name"); /* b; */
      CREATE FUNCTION f() RETURNS void AS $body$ BEGIN; PERFORM $$;$$; END $body$ LANGUAGE plpgsql;;
      SELECT 1 -- the end;`
    expect(splitStatements(script)).toEqual([
      expect.stringMatching(/^-- a; comment\s+INSERT .*"odd;name"\)$/s),
      expect.stringMatching(/^\/\* b; \*\/\s+CREATE .* LANGUAGE plpgsql$/s),
      'SELECT 1 -- the end;',
    ])
  })
})
