import { newId } from '@wp/database'
import { createTestDatabase, openWorkerPool } from '@wp/testkit'
import type { Pool } from 'pg'

/** The database of the data service without the service, to act as its embedding worker. */
export interface EmbeddingTables {
  pool: Pool
  /** Adds a workspace that has chosen a model, with sources of one record each that is not embedded. @returns its id */
  addWorkspace(sources: number): Promise<string>
  drop(): Promise<void>
}

/** The embedding space of every workspace. */
export const space = 'a'.repeat(16)

export async function createEmbeddingTables(): Promise<EmbeddingTables> {
  const database = await createTestDatabase('data')
  const pool = openWorkerPool(database.workerUrl, 4)
  return {
    pool,
    async addWorkspace(sources) {
      const workspaceId = newId('ws')
      await pool.query(
        `INSERT INTO embedding_spaces (workspace_id, chosen_integration_id, integration_id, space, checked_at)
         VALUES ($1, 'int_1', 'int_1', $2, now())`,
        [workspaceId, space],
      )
      for (let nth = 0; nth < sources; nth++) await addSource(pool, workspaceId)
      return workspaceId
    },
    async drop() {
      await pool.end()
      await database.drop()
    },
  }
}

async function addSource(pool: Pool, workspaceId: string): Promise<void> {
  const dataSourceId = newId('src')
  await pool.query(
    `INSERT INTO data_sources (data_source_id, workspace_id, name, provider, config, sync_mode, schedule, embed)
     VALUES ($1, $2, 'Notes', 'upload', '{}', 'full', '{}', true)`,
    [dataSourceId, workspaceId],
  )
  await pool.query(
    `INSERT INTO search_indexes (workspace_id, data_source_id, next_document, documents) VALUES ($1, $2, 1, 1)`,
    [workspaceId, dataSourceId],
  )
  await pool.query(
    `INSERT INTO data_records (record_id, workspace_id, data_source_id, key, data, title, text, document, words)
     VALUES ($1, $2, $3, 'k', '{}', 'Garage', 'Where each car is parked.', 0, 'car')`,
    [newId('rec'), workspaceId, dataSourceId],
  )
  await pool.query('INSERT INTO embedding_progress (data_source_id, workspace_id, space) VALUES ($1, $2, $3)', [
    dataSourceId,
    workspaceId,
    space,
  ])
}
