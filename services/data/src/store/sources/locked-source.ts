import { problem, type SourceConfig, type SourceFormat, type SourceProvider, type SyncMode } from '@wp/contracts'
import type { Query, Row } from '@wp/database'
import type { DataSource } from '#db'
import type { ObservedSchema } from './observed-schema.ts'
import type { Source, SourceKey } from './sources.ts'

/** The columns of a source that a writer of records needs. */
export interface LockedSource
  extends SourceKey,
    ObservedSchema,
    Row<DataSource, 'name' | 'integrationId' | 'generation' | 'indexedGeneration' | 'recordCount' | 'refusedRows'> {
  status: Source['status']
  provider: SourceProvider
  config: SourceConfig
  syncMode: SyncMode
  recordAccess: Source['recordAccess']
}

/**
 * Locks a source until the end of the transaction. Every writer of records takes this lock first: it keeps the record
 * count exact, gives concurrent writers one lock order (no deadlocks), and prevents records that outlive their source.
 *
 * @throws Problem `not_found`
 */
export async function lockSource(query: Query, workspaceId: string, dataSourceId: string): Promise<LockedSource> {
  const [source] = await query<LockedSource>(
    `SELECT workspace_id, data_source_id, name, status, provider, config,
            integration_id, sync_mode, record_access, generation, indexed_generation, fields, pending_fields, previous_fields,
            type_mismatches, record_count, refused_rows
       FROM data_sources WHERE workspace_id = $1 AND data_source_id = $2 FOR UPDATE`,
    [workspaceId, dataSourceId],
  )
  if (source === undefined) throw problem('not_found')
  return source
}

/** Stores the format of the files of a locked source in its config. Updates `source`. */
export async function saveFormat(query: Query, source: LockedSource, format: SourceFormat): Promise<void> {
  source.config = { ...source.config, format }
  await query(
    `UPDATE data_sources SET config = jsonb_set(config, '{format}', $3) WHERE workspace_id = $1 AND data_source_id = $2`,
    [source.workspaceId, source.dataSourceId, JSON.stringify(format)],
  )
}

/** Stores the number of rows of a locked source that were refused. */
export async function saveRefusedRows(
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
  refusedRows: number,
): Promise<void> {
  await query('UPDATE data_sources SET refused_rows = $3 WHERE workspace_id = $1 AND data_source_id = $2', [
    workspaceId,
    dataSourceId,
    refusedRows,
  ])
}

/** Discards the crawl state of a locked source: its next sync reads from the beginning. */
export async function resetCrawlState(query: Query, { workspaceId, dataSourceId }: SourceKey): Promise<void> {
  await query('UPDATE data_sources SET generation = generation + 1 WHERE workspace_id = $1 AND data_source_id = $2', [
    workspaceId,
    dataSourceId,
  ])
}

/**
 * Returns true if a source exists and uses an integration. Blocks changes of the source until the end of the
 * transaction.
 */
export async function lockIntegrationUse(
  query: Query,
  { workspaceId, dataSourceId }: SourceKey,
  integrationId: string,
): Promise<boolean> {
  const found = await query(
    `SELECT FROM data_sources WHERE workspace_id = $1 AND data_source_id = $2 AND integration_id = $3 FOR SHARE`,
    [workspaceId, dataSourceId, integrationId],
  )
  return found.length > 0
}
