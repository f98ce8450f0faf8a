import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { withClient } from '../support/database.ts'
import { createEmbeddingTables, type EmbeddingTables } from '../support/embedding-tables.ts'

const folder = join(import.meta.dirname, '../../prisma/migrations/20261122140000_embedding_choice')

let tables: EmbeddingTables
beforeAll(async () => {
  tables = await createEmbeddingTables()
})
afterAll(() => tables.drop())

describe('the migration to chosen embeddings', () => {
  it('keeps what was embedded, and chooses nothing for others', async () => {
    const embedded = await tables.addWorkspace(2)
    const disconnected = await tables.addWorkspace(1)
    await tables.pool.query('UPDATE embedding_spaces SET integration_id = NULL WHERE workspace_id = $1', [disconnected])
    await tables.pool.query(
      `INSERT INTO data_sources (data_source_id, workspace_id, name, provider, config, sync_mode, schedule)
       VALUES ('src_1', 'ws_1', 'Never embedded', 'upload', '{}', 'full', '{}')`,
    )
    await withClient(tables.ownerUrl, async (owner) => {
      await owner.query('ALTER TABLE data_sources DROP COLUMN embed')
      await owner.query(`ALTER TABLE embedding_spaces DROP COLUMN chosen_integration_id, DROP COLUMN chosen_model,
                           DROP COLUMN chosen_base_url, DROP COLUMN turn_at`)
      await owner.query(await readFile(join(folder, 'migration.sql'), 'utf8'))
    })
    const { rows: choices } = await tables.pool.query(
      'SELECT workspace_id AS id, chosen_integration_id AS chosen FROM embedding_spaces',
    )
    expect(new Map(choices.map(({ id, chosen }) => [id, chosen]))).toEqual(
      new Map([
        [embedded, 'int_1'],
        [disconnected, null],
      ]),
    )
    const { rows: sources } = await tables.pool.query('SELECT workspace_id AS id, embed FROM data_sources')
    expect(sources.map(({ id, embed }) => `${id === 'ws_1'} ${embed}`).toSorted()).toEqual([
      'false true',
      'false true',
      'false true',
      'true false',
    ])
    const { rows: forced } = await tables.pool.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
          AND NOT relforcerowsecurity AND relname IN ('data_sources', 'embedding_spaces', 'embedding_progress')`,
    )
    expect(forced).toEqual([])
  })
})
