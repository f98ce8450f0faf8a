import {
  type Page,
  problem,
  type Schedule,
  type SourceConfig,
  type SourceProvider,
  type SyncErrorCode,
  type SyncMode,
} from '@wp/contracts'
import { afterCursor, matchMetadata, paginate, type Query, type ScopedClient } from '@wp/database'
import type { PrismaClient } from '#db'
import type { StoredTypeMismatches } from '../../schema/drift.ts'
import type { StoredFields } from '../../schema/observed-fields.ts'

type Db = ScopedClient<PrismaClient>

/** A data source as it is kept. */
export interface Source {
  dataSourceId: string
  name: string
  provider: SourceProvider
  config: SourceConfig
  integrationId: string | null
  syncMode: SyncMode
  schedule: Schedule
  /** When the schedule is due next. */
  nextSyncAt: Date | null
  status: 'active' | 'paused' | 'error'
  lastError: SourceError | null
  fields: StoredFields
  recordCount: number
  lastSyncId: string | null
  lastSyncedAt: Date | null
  metadata: Record<string, string>
  externalId: string | null
  createdAt: Date
  updatedAt: Date
}

/** Why a source could not be read. */
export interface SourceError {
  code: SyncErrorCode
  message: string
  at: string
}

export interface SourceFilter {
  limit: number
  cursor?: string | undefined
  name?: string | undefined
  provider?: string | undefined
  status?: string | undefined
  integration_id?: string | undefined
  external_id?: string | undefined
  metadata?: Record<string, string> | undefined
}

/** One page of a workspace's sources, newest first. */
export async function listSources(db: Db, workspaceId: string, filter: SourceFilter): Promise<Page<Source>> {
  const { limit, cursor, external_id: externalId, integration_id: integrationId, metadata, ...named } = filter
  const given = Object.entries({ ...named, externalId, integrationId }).filter(([, value]) => value !== undefined)
  const rows = await db.dataSource.findMany({
    where: {
      workspaceId,
      ...Object.fromEntries(given),
      ...matchMetadata(metadata),
      ...afterCursor(cursor, 'dataSourceId'),
    },
    orderBy: [{ createdAt: 'desc' }, { dataSourceId: 'desc' }],
    take: limit + 1,
  })
  const { items, nextCursor } = paginate(rows, limit, ({ createdAt, dataSourceId: id }) => ({ createdAt, id }))
  return { items: items.map(asSource), nextCursor }
}

/** @throws Problem `not_found` */
export async function findSource(db: Db, workspaceId: string, dataSourceId: string): Promise<Source> {
  const row = await db.dataSource.findFirst({ where: { workspaceId, dataSourceId } })
  if (row === null) throw problem('not_found')
  return asSource(row)
}

export type NewSource = Pick<
  Source,
  | 'dataSourceId'
  | 'name'
  | 'provider'
  | 'config'
  | 'integrationId'
  | 'syncMode'
  | 'schedule'
  | 'nextSyncAt'
  | 'metadata'
  | 'externalId'
>

export async function insertSource(db: Db, workspaceId: string, source: NewSource): Promise<Source> {
  return asSource(await db.dataSource.create({ data: { ...source, workspaceId } }))
}

export type SourceChanges = Partial<Omit<NewSource, 'dataSourceId' | 'provider'>> & {
  status?: Source['status']
  updatedAt: Date
}

export async function updateSourceRow(db: Db, dataSourceId: string, changes: SourceChanges): Promise<Source> {
  return asSource(await db.dataSource.update({ where: { dataSourceId }, data: changes }))
}

export async function deleteSource(db: Db, workspaceId: string, dataSourceId: string): Promise<void> {
  await db.dataSource.deleteMany({ where: { workspaceId, dataSourceId } })
}

/** What a writer of records must know of their source. */
export interface LockedSource {
  workspaceId: string
  dataSourceId: string
  status: Source['status']
  provider: SourceProvider
  config: SourceConfig
  integrationId: string | null
  syncMode: SyncMode
  /** What a crawl left behind under another number (a cursor, versions of parts) is no place to go on from. */
  generation: number
  /** The `reading` under which records were last found to be as they would be now. */
  indexedGeneration: number | null
  fields: StoredFields
  /** Gathered by a running sync. */
  pendingFields: StoredFields | null
  /** What the fields were when a running sync began. */
  previousFields: StoredFields | null
  /** What a running sync read that is not as declared. */
  typeMismatches: StoredTypeMismatches | null
  recordCount: number
}

/**
 * Takes the source for the rest of the transaction. Whoever writes records does so first: that keeps the count exact,
 * gives two writers an order in which they cannot block each other, and no record outlives its source.
 *
 * @throws Problem `not_found`
 */
export async function lockSource(query: Query, workspaceId: string, dataSourceId: string): Promise<LockedSource> {
  const [source] = await query<LockedSource>(
    `SELECT workspace_id AS "workspaceId", data_source_id AS "dataSourceId", status, provider, config,
            integration_id AS "integrationId", sync_mode AS "syncMode", reading AS generation, read_as AS "indexedGeneration", fields,
            fields_anew AS "pendingFields", fields_before AS "previousFields", misfits AS "typeMismatches", record_count AS "recordCount"
       FROM data_sources WHERE workspace_id = $1 AND data_source_id = $2 FOR UPDATE`,
    [workspaceId, dataSourceId],
  )
  if (source === undefined) throw problem('not_found')
  return source
}

/** Has the next sync of a locked source read from the beginning. */
export async function resetCrawlState(query: Query, { workspaceId, dataSourceId }: LockedSource): Promise<void> {
  await query('UPDATE data_sources SET reading = reading + 1 WHERE workspace_id = $1 AND data_source_id = $2', [
    workspaceId,
    dataSourceId,
  ])
}

/** Notes that a sync or, where none is named, an upload has finished; what was gathered anew is the schema now. */
export async function recordSyncSuccess(
  query: Query,
  { workspaceId, dataSourceId }: LockedSource,
  syncId: string | null,
  { takeFieldsAnew: adoptPendingFields = false }: { takeFieldsAnew?: boolean } = {},
): Promise<void> {
  await query(
    `UPDATE data_sources
        SET last_synced_at = now(), last_sync_id = coalesce($3, last_sync_id), last_error = NULL,
            status = CASE status WHEN 'error' THEN 'active' ELSE status END,
            fields = CASE WHEN $4 THEN coalesce(fields_anew, fields) ELSE fields END,
            fields_anew = CASE WHEN $4 THEN NULL ELSE fields_anew END,
            fields_before = CASE WHEN $4 THEN NULL ELSE fields_before END,
            misfits = CASE WHEN $4 THEN NULL ELSE misfits END
      WHERE workspace_id = $1 AND data_source_id = $2`,
    [workspaceId, dataSourceId, syncId, adoptPendingFields],
  )
}

/** Notes why a sync of a source failed; the source may be gone. */
export async function recordSyncFailure(
  query: Query,
  { workspaceId, dataSourceId, syncId }: { workspaceId: string; dataSourceId: string; syncId: string },
  { code, message }: Pick<SourceError, 'code' | 'message'>,
): Promise<void> {
  await query(
    `UPDATE data_sources
        SET last_sync_id = $3, status = CASE status WHEN 'active' THEN 'error' ELSE status END,
            last_error = jsonb_build_object('code', $4::text, 'message', $5::text,
              'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      WHERE workspace_id = $1 AND data_source_id = $2`,
    [workspaceId, dataSourceId, syncId, code, message],
  )
}

type SourceRow = Awaited<ReturnType<Db['dataSource']['findFirstOrThrow']>>

/** The columns hold what this module wrote into them, in the shapes of `Source`. */
const asSource = (row: SourceRow): Source => ({
  ...row,
  provider: row.provider as SourceProvider,
  config: row.config as SourceConfig,
  syncMode: row.syncMode as SyncMode,
  status: row.status as Source['status'],
  lastError: row.lastError as SourceError | null,
  schedule: row.schedule as Source['schedule'],
  fields: row.fields as StoredFields,
  metadata: row.metadata as Source['metadata'],
})
