import type { DatasetKind, InputOf, Page, solutions } from '@wp/contracts'
import {
  afterCursor,
  countRows,
  definedFields,
  mapPage,
  matchMetadata,
  newId,
  paginateBy,
  type Query,
  type Row,
} from '@wp/database'
import type { DatasetValue, Dataset as Model, Prisma } from '#db'
import type { Db } from './client.ts'

export const datasetQuota = countRows('datasets', 'datasets')

/** The job queue that reads the changed rows of datasets, one job of a dataset at a time. */
export const refreshQueue = 'dataset_refresh'

/** Rows that cannot be used, by reason. */
export type UnusedRows = Record<string, { rows: number; example: string | null }>

/** The meaning of bookings without a mark, by the whole column of use once all rows were read; see `meaningOfUses`. */
export type UseMeaning = {
  /** The use of a booking without a mark; null if no single column tells it. */
  unmarkedUse: 0 | 1 | null
  /** The days on which it is known; both are empty if there are none. */
  first: string
  last: string
  /** True if a blank is a booking without a mark. */
  coversBlanks: boolean
  /** Values of spaces whose bookings no one seems to mark. */
  unmarkedSpaces: number[]
}

export const noMeaning: UseMeaning = {
  unmarkedUse: null,
  first: '',
  last: '',
  coversBlanks: false,
  unmarkedSpaces: [],
}

/** Reason of bookings that are counted as bookings, with hours of none. */
export const withoutLength = 'without_length'

/** A row of `datasets`. */
export type Dataset = Omit<
  Row<Model>,
  'kind' | 'mapping' | 'spaceMap' | 'teamMap' | 'unusedRows' | 'uses' | 'metadata'
> & {
  kind: DatasetKind
  mapping: Record<string, string>
  spaceMap: Record<string, string | null>
  teamMap: Record<string, string | null>
  unusedRows: UnusedRows
  uses: UseMeaning
  metadata: Record<string, string>
}

export type DatasetFilter = InputOf<typeof solutions.listDatasets>['query']

/** Returns one page of the datasets of a workspace, newest first. */
export async function findDatasets(db: Db, workspaceId: string, filter: DatasetFilter): Promise<Page<Dataset>> {
  const { limit, cursor, kind, data_source_id: dataSourceId, external_id: externalId, metadata } = filter
  const columns = definedFields({ kind, dataSourceId, externalId })
  const rows = await db.dataset.findMany({
    where: { workspaceId, ...columns, ...matchMetadata(metadata), ...afterCursor(cursor) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  return mapPage(paginateBy(rows, limit, 'id'), toDataset)
}

export async function findDataset(db: Db, workspaceId: string, id: string): Promise<Dataset | null> {
  const row = await db.dataset.findFirst({ where: { workspaceId, id } })
  return row === null ? null : toDataset(row)
}

/** Returns all datasets of a workspace, at most as many as the quota. */
export async function findAllDatasets(db: Db, workspaceId: string): Promise<Dataset[]> {
  return (await db.dataset.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } })).map(toDataset)
}

const toDataset = (row: Model): Dataset =>
  ({
    ...row,
    uses: { ...noMeaning, ...(row.uses as object) },
    rowsRead: Number(row.rowsRead),
    appliedPage: row.appliedPage === null ? null : Number(row.appliedPage),
  }) as Dataset // the JSON columns are written by this service alone, with these types

export type NewDataset = Pick<
  Dataset,
  'name' | 'kind' | 'dataSourceId' | 'mapping' | 'spaceMap' | 'teamMap' | 'timezone' | 'metadata' | 'externalId'
>

export async function insertDataset(db: Db, workspaceId: string, dataset: NewDataset): Promise<Dataset> {
  return toDataset(await db.dataset.create({ data: { id: newId('ds'), workspaceId, ...dataset } }))
}

export async function updateDatasetRow(
  db: Db,
  workspaceId: string,
  id: string,
  changes: Partial<Omit<Dataset, 'id' | 'workspaceId' | 'dataSourceId' | 'kind' | 'createdAt'>>,
): Promise<void> {
  const data: Prisma.DatasetUncheckedUpdateManyInput = changes
  await db.dataset.updateMany({ where: { workspaceId, id }, data })
}

/** Locks a dataset until the end of the transaction. @returns false if it does not exist */
export async function lockDataset(query: Query, workspaceId: string, id: string): Promise<boolean> {
  const rows = await query('SELECT FROM datasets WHERE workspace_id = $1 AND id = $2 FOR UPDATE', [workspaceId, id])
  return rows.length > 0
}

/** Marks a dataset as changed since its last refresh began, if it exists. Locks it. */
export async function markNeedsRefresh(query: Query, workspaceId: string, id: string): Promise<void> {
  await query('UPDATE datasets SET needs_refresh = true WHERE workspace_id = $1 AND id = $2', [workspaceId, id])
}

/** Marks the datasets whose times have an offset to be read from the beginning. */
export const restartDatasetsOfInstants = (
  query: Query,
  workspaceId: string,
): Promise<{ datasetId: string; dataSourceId: string }[]> =>
  query(
    `UPDATE datasets SET feed_generation = NULL WHERE workspace_id = $1 AND has_instants
     RETURNING id AS dataset_id, data_source_id`,
    [workspaceId],
  )

/** Serializes the creation of datasets of a data source, until the end of the transaction. */
export async function lockSource(query: Query, workspaceId: string, dataSourceId: string): Promise<void> {
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 6))', [`sources/${workspaceId}/${dataSourceId}`])
}

/** Returns the datasets of a data source. */
export const findDatasetsOfSource = (
  query: Query,
  workspaceId: string,
  dataSourceId: string,
): Promise<{ datasetId: string }[]> =>
  query('SELECT id AS dataset_id FROM datasets WHERE workspace_id = $1 AND data_source_id = $2 ORDER BY id', [
    workspaceId,
    dataSourceId,
  ])

/** Returns the counted datasets with rows that an older version of the reader has read. */
export const findOutdatedDatasets = (
  query: Query,
  workspaceId: string,
  readerVersion: number,
): Promise<{ datasetId: string; dataSourceId: string }[]> =>
  query(
    `SELECT id AS dataset_id, data_source_id FROM datasets
     WHERE workspace_id = $1 AND reader_version < $2 AND kind <> 'spaces' ORDER BY id`,
    [workspaceId, readerVersion],
  )

/** Returns the counted datasets of which no refresh has read all rows since it began with the first. */
export const findUnreadDatasets = (query: Query, workspaceId: string): Promise<{ id: string; name: string }[]> =>
  query(
    `SELECT id, name FROM datasets WHERE workspace_id = $1 AND refreshed_at IS NULL AND kind <> 'spaces' ORDER BY id`,
    [workspaceId],
  )

/** Returns the datasets with what their values of places stand for. */
export const findPlaceDatasets = (
  query: Query,
  workspaceId: string,
): Promise<Pick<Dataset, 'id' | 'name' | 'kind' | 'spaceMap'>[]> =>
  query('SELECT id, name, kind, space_map FROM datasets WHERE workspace_id = $1 ORDER BY id', [workspaceId])

/** Rows of places that are not known, with the value that most of them have. */
export type Unmapped = Row<Model, 'id' | 'unmappedRows' | 'unmappedValue'>

/** Returns the datasets with rows of places that are not known. */
export const findUnmapped = (query: Query, workspaceId: string): Promise<(Unmapped & { name: string })[]> =>
  query(
    `SELECT id, name, unmapped_rows, unmapped_value FROM datasets
     WHERE workspace_id = $1 AND unmapped_rows > 0 ORDER BY id`,
    [workspaceId],
  )

export async function storeUnmapped(query: Query, workspaceId: string, unmapped: readonly Unmapped[]): Promise<void> {
  await query(
    `UPDATE datasets SET unmapped_rows = given."unmappedRows", unmapped_value = given."unmappedValue"
     FROM jsonb_to_recordset($2::jsonb) AS given (id text, "unmappedRows" int, "unmappedValue" text)
     WHERE workspace_id = $1 AND datasets.id = given.id
       AND (unmapped_rows, unmapped_value) IS DISTINCT FROM (given."unmappedRows", given."unmappedValue")`,
    [workspaceId, JSON.stringify(unmapped)],
  )
}

export async function deleteDatasetRow(db: Db, workspaceId: string, id: string): Promise<boolean> {
  return (await db.dataset.deleteMany({ where: { workspaceId, id } })).count > 0
}

export type ValueRow = Row<DatasetValue, 'datasetId' | 'valueId' | 'role' | 'value' | 'rows'>

/** Returns all values of the datasets of a workspace. */
export const findAllValues = (query: Query, workspaceId: string): Promise<ValueRow[]> =>
  query<ValueRow>('SELECT dataset_id, value_id, role, value, rows FROM dataset_values WHERE workspace_id = $1', [
    workspaceId,
  ])

/** Returns the values of spaces or of teams that rows of the workspace have. */
export const findValuesOf = (
  query: Query,
  workspaceId: string,
  role: 'space' | 'team',
): Promise<Pick<ValueRow, 'datasetId' | 'value' | 'rows'>[]> =>
  query(
    `SELECT dataset_id, value, rows FROM dataset_values WHERE workspace_id = $1 AND role = $2 AND rows > 0
     ORDER BY rows DESC, value_id`,
    [workspaceId, role],
  )

/** Returns the values of a dataset, those with the most rows first. */
export const findValues = (query: Query, workspaceId: string, datasetId: string): Promise<ValueRow[]> =>
  query<ValueRow>(
    `SELECT dataset_id, value_id, role, value, rows FROM dataset_values
     WHERE workspace_id = $1 AND dataset_id = $2 AND rows > 0 ORDER BY rows DESC, value_id`,
    [workspaceId, datasetId],
  )

/** Adds rows to values, which are inserted with their first row. @returns the number of each value */
export async function addValueRows(
  query: Query,
  workspaceId: string,
  datasetId: string,
  values: readonly { role: string; value: string; rows: number }[],
): Promise<ValueRow[]> {
  if (values.length === 0) return []
  return query<ValueRow>(
    `INSERT INTO dataset_values AS known (workspace_id, dataset_id, role, value, rows)
     SELECT $1, $2, role, value, rows
     FROM jsonb_to_recordset($3::jsonb) AS given (role text, value text, rows bigint)
     ORDER BY role, value
     ON CONFLICT (dataset_id, role, value) DO UPDATE SET rows = known.rows + excluded.rows
     RETURNING dataset_id, value_id, role, value, rows`,
    [workspaceId, datasetId, JSON.stringify(values)],
  )
}
