import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { lintMigrations, migrationFiles } from '../src/migration-lint.ts'

it('finds nothing in our migrations that would hold up a database in use', async () => {
  const files = migrationFiles()
  expect(files.length).toBeGreaterThan(20)
  expect(await lintMigrations(files)).toEqual([])
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wp-migrations-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function findingsOf(sql: string, name = '20300101000000_later') {
  const file = join(folder, name, 'migration.sql')
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(file, sql)
  return (await lintMigrations([file])).map(({ rule, line }) => `${rule} ${line}`)
}

it.each([
  ['an index that locks a table', 'CREATE INDEX a ON t (b);', 'require-concurrent-index-creation 1'],
  ['another type', 'ALTER TABLE t ALTER COLUMN a TYPE text;', 'changing-column-type 1'],
  ['a column that older versions still use', 'ALTER TABLE t DROP COLUMN a;', 'ban-drop-column 1'],
  ['a column that older versions do not fill', 'ALTER TABLE t ADD COLUMN a text NOT NULL;', 'adding-required-field 1'],
  ['another name', '-- why\nALTER TABLE t RENAME COLUMN a TO b;', 'renaming-column 2'],
  [
    'what cannot run in a transaction',
    'ALTER TABLE t ADD COLUMN b text;\nCREATE INDEX CONCURRENTLY a ON t (b);',
    'ban-concurrent-index-creation-in-transaction 2',
  ],
])('finds %s', async (_what, sql, finding) => {
  expect(await findingsOf(sql)).toContain(finding)
})

it('lets an index be built beside, in a migration of its own, and knows what was written before the first deployment', async () => {
  expect(await findingsOf('-- migrate: no-transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS a ON t (b);\n')).toEqual(
    [],
  )
  expect(await findingsOf('CREATE INDEX a ON t (b);', '20261120000000_before')).toEqual([])
  expect(await findingsOf('ALTER TABLE t DROP COLUMN a;', '20261120000001_before')).not.toEqual([])
})
