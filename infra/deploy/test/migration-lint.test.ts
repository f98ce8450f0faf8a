import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { lintMigrations, migrationFiles } from '../src/migration-lint.ts'

it('lintMigrations has no findings in the migrations of the platform', async () => {
  const files = migrationFiles()
  // The platform tables and eleven services.
  expect(files.length).toBeGreaterThanOrEqual(12)
  expect(await lintMigrations(files)).toEqual([])
})

const folder = await mkdtemp(join(tmpdir(), 'wp-migrations-'))
afterAll(() => rm(folder, { recursive: true }))

async function findingsOf(sql: string) {
  const file = join(folder, '20300101000000_later', 'migration.sql')
  await mkdir(join(folder, '20300101000000_later'), { recursive: true })
  await writeFile(file, sql)
  return (await lintMigrations([file])).map(({ rule, line }) => `${rule} ${line}`)
}

it.each([
  ['an index that locks the table', 'CREATE INDEX a ON t (b);', 'require-concurrent-index-creation 1'],
  ['a changed column type', 'ALTER TABLE t ALTER COLUMN a TYPE text;', 'changing-column-type 1'],
  ['a dropped column', 'ALTER TABLE t DROP COLUMN a;', 'ban-drop-column 1'],
  ['a new required column', 'ALTER TABLE t ADD COLUMN a text NOT NULL;', 'adding-required-field 1'],
  ['a renamed column', '-- why\nALTER TABLE t RENAME COLUMN a TO b;', 'renaming-column 2'],
  [
    'a statement that cannot run in a transaction',
    'ALTER TABLE t ADD COLUMN b text;\nCREATE INDEX CONCURRENTLY a ON t (b);',
    'ban-concurrent-index-creation-in-transaction 2',
  ],
])('lintMigrations reports %s', async (_title, sql, finding) => {
  expect(await findingsOf(sql)).toContain(finding)
})

it('lintMigrations accepts a concurrent index in its own migration, and an index on a new table', async () => {
  expect(await findingsOf('-- migrate: no-transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS a ON t (b);\n')).toEqual(
    [],
  )
  expect(await findingsOf('CREATE TABLE t ("b" text);\nCREATE INDEX a ON t (b);')).toEqual([])
})
