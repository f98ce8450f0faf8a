import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { testPostgres } from '@wp/testkit'
import { Client } from 'pg'
import { draftMigration, findDrift } from '../src/index.ts'

const root = await mkdtemp(join(tmpdir(), 'drift-'))
afterAll(() => rm(root, { recursive: true }))

const fixture = join(import.meta.dirname, 'fixture')
const dir = join(root, 'migrations')
const schemaFile = join(root, 'schema.prisma')
const options = { adminUrl: testPostgres(), dir, schemaFile }

beforeEach(async () => {
  await rm(dir, { recursive: true, force: true })
  await cp(join(fixture, 'migrations'), dir, { recursive: true })
  await cp(join(fixture, 'schema.prisma'), schemaFile)
})

async function change(edit: (schema: string) => string): Promise<void> {
  await writeFile(schemaFile, edit(await readFile(schemaFile, 'utf8')))
}

async function migration(name: string, sql: string): Promise<void> {
  await mkdir(join(dir, name))
  await writeFile(join(dir, name, 'migration.sql'), sql)
}

describe('findDrift', () => {
  it('reports nothing when the migrations match the schema, ignoring what Prisma cannot express', async () => {
    await migration(
      '20260102000000_beyond',
      `CREATE INDEX big ON projects (name) WHERE size > 0; CREATE INDEX folded ON projects (lower(name));
       ALTER TABLE projects ADD CHECK (size >= 0);
       CREATE FUNCTION one() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;`,
    )
    expect(await findDrift(options)).toBe('')
    expect(await draftMigration(options)).toBe('')
  })

  it('reports differences in both directions', async () => {
    await change((schema) => schema.replace('name String\n', 'name String\n  seats Int @default(1)\n'))
    await migration('20260102000000_more', 'ALTER TABLE projects ADD COLUMN depth int')
    const drift = await findDrift(options)
    expect(drift).toContain('Changed the `plans` table\n  [+] Added column `seats`')
    expect(drift).toContain('Changed the `projects` table\n  [-] Removed column `depth`')
  })

  it('reports a table with workspace_id but without row-level security', async () => {
    await change((schema) => `${schema}\nmodel Open {\n  id String @id\n  workspaceId String @map("workspace_id")\n}\n`)
    await migration('20260102000000_open', 'CREATE TABLE "Open" (id text PRIMARY KEY, workspace_id text NOT NULL)')
    expect(await findDrift(options)).toBe('[!] "Open" has workspace_id but no forced row-level security')
  })
})

describe('draftMigration', () => {
  it('returns a migration to the schema, with grants for new tables', async () => {
    await change(
      (schema) =>
        `${schema}
        model Berth {
          id String @id
          workspaceId String @map("workspace_id")
          depth Decimal @db.Decimal(6, 2)
          createdAt DateTime @default(now()) @map("created_at") @db.Timestamptz(3)
          @@index([workspaceId, createdAt, id])
          @@map("berths")
        }
        enum Kind {
          sea
          river
        }
        model Port {
          id String @id
          kind Kind
        }`,
    )
    const sql = await draftMigration(options)
    expect(sql).toContain('CREATE TABLE "berths"')
    expect(sql).toContain(`SELECT platform.share('"Port"');\nSELECT platform.protect('berths');\n`)
    expect(sql).not.toContain('projects')
    await migration('20260102000000_berths', sql)
    expect(await draftMigration(options)).toBe('')
    expect(await findDrift(options)).toBe('')
  })

  it('drops the scratch database when a migration fails', async () => {
    await migration('20260102000000_wrong', 'SELECT 1/0')
    await expect(draftMigration(options)).rejects.toThrow('20260102000000_wrong failed')
    const client = new Client({ connectionString: testPostgres() })
    await client.connect()
    const { rows } = await client.query(`SELECT datname FROM pg_database WHERE datname LIKE 'wp\\_scratch%'`)
    await client.end()
    expect(rows).toEqual([])
  })
})
