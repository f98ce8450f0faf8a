import {
  type data,
  type InputOf,
  type Page,
  problem,
  type RecordAccess,
  type Schedule,
  type SourceConfig,
  type SourceProvider,
  type SyncErrorCode,
  type SyncMode,
} from '@wp/contracts'
import { afterCursor, definedFields, matchMetadata, matchName, paginate, type Query, type Row } from '@wp/database'
import type { DataSource } from '#db'
import type { Db } from '../client.ts'
import type { StoredFields } from './observed-fields.ts'

/** A row of `data_sources`. */
export interface Source {
  dataSourceId: string
  name: string
  provider: SourceProvider
  config: SourceConfig
  integrationId: string | null
  syncMode: SyncMode
  /** True if its records are embedded, once the workspace has chosen a model. */
  embed: boolean
  /** `aggregates`: only aggregates use its records. */
  recordAccess: RecordAccess
  schedule: Schedule
  /** Due time of the next scheduled sync; null without a schedule or while paused. */
  nextSyncAt: Date | null
  status: 'active' | 'paused' | 'error'
  lastError: SourceError | null
  fields: StoredFields
  recordCount: number
  /** Rows of its files or feed that were refused. */
  refusedRows: number
  lastSyncId: string | null
  lastSyncedAt: Date | null
  metadata: Record<string, string>
  externalId: string | null
  createdAt: Date
  updatedAt: Date
}

/** The error of the last sync. */
export interface SourceError {
  code: SyncErrorCode
  message: string
  /** RFC 3339, UTC. */
  at: string
}

export type SourceFilter = InputOf<typeof data.listSources>['query']

const maxUploadSources = 200

/** Returns the newest sources of uploads with records. */
export const findUploadSources = async (db: Db, workspaceId: string): Promise<Source[]> =>
  (
    await db.dataSource.findMany({
      where: { workspaceId, provider: 'upload', recordCount: { gt: 0 } },
      orderBy: [{ createdAt: 'desc' }, { dataSourceId: 'desc' }],
      take: maxUploadSources,
    })
  ).map(toSource)

/** Returns one page of the sources of a workspace, newest first. */
export async function findSources(db: Db, workspaceId: string, filter: SourceFilter): Promise<Page<Source>> {
  const {
    limit,
    cursor,
    name,
    search,
    external_id: externalId,
    integration_id: integrationId,
    metadata,
    ...rest
  } = filter
  const rows = await db.dataSource.findMany({
    where: {
      workspaceId,
      ...definedFields({ ...rest, externalId, integrationId }),
      ...matchName({ name, search }),
      ...matchMetadata(metadata),
      ...afterCursor(cursor, 'dataSourceId'),
    },
    orderBy: [{ createdAt: 'desc' }, { dataSourceId: 'desc' }],
    take: limit + 1,
  })
  const { items, nextCursor } = paginate(rows, limit, ({ createdAt, dataSourceId: id }) => ({ createdAt, id }))
  return { items: items.map(toSource), nextCursor }
}

/** @throws Problem `not_found` */
export async function findSource(db: Db, workspaceId: string, dataSourceId: string): Promise<Source> {
  const source = await findSourceIfExists(db, workspaceId, dataSourceId)
  if (source === undefined) throw problem('not_found')
  return source
}

export async function findSourceIfExists(
  db: Db,
  workspaceId: string,
  dataSourceId: string,
): Promise<Source | undefined> {
  const row = await db.dataSource.findFirst({ where: { workspaceId, dataSourceId } })
  return row === null ? undefined : toSource(row)
}

export type NewSource = Pick<
  Source,
  | 'dataSourceId'
  | 'name'
  | 'provider'
  | 'config'
  | 'integrationId'
  | 'syncMode'
  | 'embed'
  | 'recordAccess'
  | 'schedule'
  | 'nextSyncAt'
  | 'metadata'
  | 'externalId'
>

export async function insertSource(db: Db, workspaceId: string, source: NewSource): Promise<Source> {
  return toSource(await db.dataSource.create({ data: { ...source, workspaceId } }))
}

export type SourceChanges = Partial<Omit<NewSource, 'dataSourceId' | 'provider'>> & {
  status?: Source['status']
  updatedAt: Date
}

export async function updateSourceRow(db: Db, dataSourceId: string, changes: SourceChanges): Promise<Source> {
  return toSource(await db.dataSource.update({ where: { dataSourceId }, data: changes }))
}

export async function deleteSource(db: Db, workspaceId: string, dataSourceId: string): Promise<void> {
  await db.dataSource.deleteMany({ where: { workspaceId, dataSourceId } })
}

type SourceRow = Awaited<ReturnType<Db['dataSource']['findFirstOrThrow']>>

/** The casts hold because only this service writes these columns, with values of these types. */
const toSource = (row: SourceRow): Source => ({
  ...row,
  provider: row.provider as SourceProvider,
  config: row.config as SourceConfig,
  syncMode: row.syncMode as SyncMode,
  recordAccess: row.recordAccess as RecordAccess,
  status: row.status as Source['status'],
  lastError: row.lastError as SourceError | null,
  schedule: row.schedule as Source['schedule'],
  fields: row.fields as StoredFields,
  metadata: row.metadata as Source['metadata'],
})

/** Pauses all sources of a workspace that is deleted, so that no scheduled sync starts. */
export const pauseSources = (query: Query, workspaceId: string): Promise<unknown> =>
  query(`UPDATE data_sources SET status = 'paused' WHERE workspace_id = $1`, [workspaceId])

/** Identifies a source within its workspace. */
export type SourceKey = Row<DataSource, 'workspaceId' | 'dataSourceId'>

/**
 * Condition on the source of records that are found by their ids. No index fits it: of a source that its statistics do
 * not know, PostgreSQL expects one record, and would read all of the source rather than look up each id.
 */
export const isOfSource = (parameter: string): string => `data_source_id || '' = ${parameter}`
