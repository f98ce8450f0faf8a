import { dataInternal, Problem } from '@wp/contracts'
import { newId } from '@wp/database'
import { enqueue, type Job, JobConflict } from '@wp/jobs'
import { requestRecount } from '../attendance/request-recount.ts'
import type { Context } from '../context.ts'
import { failure } from '../failure.ts'
import type { Control, Tx } from '../store/client.ts'
import {
  type Dataset,
  findDataset,
  lockDataset,
  restartDatasetsOfInstants,
  updateDatasetRow,
} from '../store/datasets.ts'
import { deleteFactsOf, findFactRange } from '../store/facts.ts'
import { findSpaceNodes, type SpaceNode } from '../store/spaces.ts'
import { readSalt } from '../store/workplace-settings.ts'
import { effectiveValues } from '../workplace/inherit.ts'
import { dateOf, dayOf } from '../workplace/local-days.ts'
import { createMatcher } from '../workplace/match-values.ts'
import { buildTree, pathOf } from '../workplace/tree.ts'
import { applyPage, fieldsOf, isCountedKind, type PageContext, type RowChange } from './apply-page.ts'
import { importSpaces } from './import-spaces.ts'
import { createZoneOffset, type ZoneOffset } from './read-cells.ts'

/** The job queue that reads the changed rows of datasets. */
export const refreshQueue = 'dataset_refresh'

export interface RefreshInput {
  datasetId: string
  dataSourceId: string
}

/** The keys of which each is held by one job of a dataset: the refresh, and one that follows it. */
export const exclusiveKeys = (datasetId: string): string[] => [datasetId, `${datasetId} next`]

/** Has a dataset refreshed. A refresh that is under way may have passed what is new, so another one follows it. */
export async function requestRefresh(tx: Tx, input: RefreshInput): Promise<void> {
  const { datasetId } = input
  for (const exclusive of exclusiveKeys(datasetId))
    try {
      await enqueue(tx, { id: newId('dsr'), queue: refreshQueue, subject: datasetId, exclusive, input })
      return
    } catch (error) {
      if (!(error instanceof JobConflict)) throw error
    }
}

/**
 * Has the datasets whose times have an offset read again: the local day and hour of a row depend on the zone of its
 * space.
 */
export async function requestRereading(tx: Tx, workspaceId: string): Promise<void> {
  for (const dataset of await restartDatasetsOfInstants(tx.query, workspaceId)) await requestRefresh(tx, dataset)
}

/**
 * Reads the changed rows of a dataset page by page. Facts, counts and the number of the page commit together, so a page
 * that is read twice is applied once.
 * @throws JobFailure if the source or its columns are gone
 */
export async function refreshDataset(context: Context, job: Job, control: Control): Promise<void> {
  const { workspaceId } = job
  const { datasetId, dataSourceId } = job.input as RefreshInput // written by requestRefresh and the operation
  const dataset = await context.database.read({ workspaceId }, (db) => findDataset(db, workspaceId, datasetId))
  if (dataset === null) {
    await closeFeed(context, workspaceId, dataSourceId, datasetId)
    await control.finish()
    return
  }
  if (!isCountedKind(dataset.kind)) {
    // A feed that is not read records nothing, but announces changes.
    await openFeed(context, dataset)
    await importSpaces(context, dataset, job, control)
    return
  }
  const before = await context.database.read({ workspaceId }, (_db, query) =>
    findFactRange(query, workspaceId, datasetId),
  )
  const changes = await readPages(context, dataset, control)
  await control.finish(async (tx) => {
    const days = await daysAtEnds(tx, dataset, before)
    await requestRecount(tx, workspaceId, days)
    const changed = { lastRefreshId: job.id, refreshedAt: new Date() }
    await updateDatasetRow(tx.db, workspaceId, datasetId, changed)
    return { changes }
  })
}

/**
 * Returns days of the weeks between the former and the present ends of a dataset: a day without rows has nobody within
 * the range, and nothing is known of it outside.
 */
async function daysAtEnds(
  { query }: Tx,
  { workspaceId, id }: Dataset,
  before: { first: string; last: string } | null,
): Promise<string[]> {
  const after = await findFactRange(query, workspaceId, id)
  const days: string[] = []
  const add = (from: string, to: string) => {
    for (let day = dayOf(from); day <= dayOf(to); day += 7) days.push(dateOf(day))
    days.push(to)
  }
  const [one, other] = [before ?? after, after ?? before]
  if (one === null || other === null) return []
  if (before === null || after === null) add(one.first, one.last)
  for (const end of ['first', 'last'] as const)
    if (one[end] < other[end]) add(one[end], other[end])
    else if (one[end] > other[end]) add(other[end], one[end])
  return days
}

async function readPages(context: Context, dataset: Dataset, control: Control): Promise<number> {
  const { workspaceId, id: datasetId, dataSourceId } = dataset
  const params = { data_source_id: dataSourceId, feed_id: datasetId }
  const call = { workspaceId }
  if (dataset.feedGeneration === null) await closeFeed(context, workspaceId, dataSourceId, datasetId)
  const generation = await openFeed(context, dataset)
  if (generation !== dataset.feedGeneration) await startOver(dataset, generation, control)
  const page = await createPageContext(dataset, control)
  let changes = 0
  while (true) {
    control.signal.throwIfAborted()
    const { page_id, rows, has_more, total_records } = await context.internal.callDelegated(
      'dataset_refresh',
      dataInternal.readRowFeed,
      call,
      { params, query: {}, body: { generation, acknowledged_page: page.dataset.appliedPage ?? 0 } },
    )
    if (rows.length > 0 && page_id !== page.dataset.appliedPage) {
      await applyOnce(control, page, { pageId: page_id, rows })
      changes += rows.length
      await control.progress(Math.min(0.99, changes / Math.max(1, total_records)), { changes })
    }
    // The last page is acknowledged by asking for another one.
    if (!has_more && rows.length === 0) return changes
  }
}

async function openFeed({ internal }: Context, dataset: Dataset): Promise<number> {
  const { workspaceId, id, dataSourceId } = dataset
  const body = { feed_id: id, fields: fieldsOf(dataset) }
  const { generation } = await internal
    .callDelegated(
      'dataset_refresh',
      dataInternal.openRowFeed,
      { workspaceId },
      { params: { data_source_id: dataSourceId }, query: {}, body },
    )
    .catch((error: unknown) => {
      throw isMissing(error) ? failure('not_found', 'The data source was deleted.') : error
    })
  return generation
}

async function closeFeed({ internal }: Context, workspaceId: string, sourceId: string, feedId: string): Promise<void> {
  const params = { data_source_id: sourceId, feed_id: feedId }
  await internal
    .callDelegated(
      'dataset_refresh',
      dataInternal.closeRowFeed,
      { workspaceId },
      { params, query: {}, body: undefined },
    )
    .catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
}

/** Forgets what was counted from another generation of the feed. */
async function startOver(dataset: Dataset, generation: number, control: Control): Promise<void> {
  const empty = { feedGeneration: generation, appliedPage: 0, rowsRead: 0, unusedRows: {}, hasInstants: false }
  await control.checkpoint(async (tx) => {
    if (!(await lockDataset(tx.query, dataset.workspaceId, dataset.id)))
      throw failure('not_found', 'The dataset was deleted.')
    await requestRecount(tx, dataset.workspaceId)
    await deleteFactsOf(tx.query, dataset.workspaceId, dataset.id)
    await updateDatasetRow(tx.db, dataset.workspaceId, dataset.id, empty)
    return { isProgress: false }
  })
  Object.assign(dataset, empty)
}

async function createPageContext(dataset: Dataset, control: Control): Promise<PageContext> {
  const { workspaceId, kind } = dataset
  if (!isCountedKind(kind)) throw new Error(`datasets of ${kind} have no facts`)
  let [salt, nodes]: [Uint8Array, SpaceNode[]] = [new Uint8Array(), []]
  // The first use of the salt makes it.
  await control.checkpoint(async ({ query }) => {
    ;[salt, nodes] = [await readSalt(query, workspaceId), await findSpaceNodes(query, workspaceId)]
    return { isProgress: false }
  })
  const tree = buildTree(nodes)
  const match = createMatcher(nodes, dataset.spaceMap)
  const [site] = tree.nodes
  const fallback = dataset.timezone ?? (site === undefined ? 'UTC' : effectiveValues(pathOf(tree, site.id)).timezone)
  const zones = new Map<string, ZoneOffset>()
  const zoneNamed = (name: string): ZoneOffset => {
    const zone = zones.get(name) ?? createZoneOffset(name)
    zones.set(name, zone)
    return zone
  }
  const byValue = new Map<string, ZoneOffset>()
  const zoneOf = (value: string | undefined): ZoneOffset => {
    const known = byValue.get(value ?? '')
    if (known !== undefined) return known
    const { id } = value === undefined ? { id: null } : match(value)
    const zone = zoneNamed(id === null ? fallback : effectiveValues(pathOf(tree, id)).timezone)
    if (byValue.size < maxKnownValues) byValue.set(value ?? '', zone)
    return zone
  }
  return { workspaceId, dataset: { ...dataset, kind }, zoneOf, salt, people: new Map() }
}
const maxKnownValues = 50_000

async function applyOnce(
  control: Control,
  page: PageContext,
  { pageId, rows }: { pageId: number; rows: readonly RowChange[] },
): Promise<void> {
  const { workspaceId, dataset } = page
  await control.checkpoint(async (tx) => {
    if (!(await lockDataset(tx.query, workspaceId, dataset.id))) throw failure('not_found', 'The dataset was deleted.')
    const current = await findDataset(tx.db, workspaceId, dataset.id)
    if (current === null || current.feedGeneration !== dataset.feedGeneration)
      throw failure('conflict', 'The dataset was changed while it was read; the next refresh reads it.')
    Object.assign(dataset, {
      ...{ appliedPage: current.appliedPage, rowsRead: current.rowsRead },
      ...{ unusedRows: current.unusedRows, hasInstants: current.hasInstants },
    })
    if (current.appliedPage === pageId) return {}
    const { days, ...counts } = await applyPage(tx.query, page, rows)
    await updateDatasetRow(tx.db, workspaceId, dataset.id, { ...counts, appliedPage: pageId })
    Object.assign(dataset, counts, { appliedPage: pageId })
    // Members change what every day says about teams.
    await requestRecount(tx, workspaceId, days.includes(dateOf(0)) ? undefined : days)
    return {}
  })
}

const isMissing = (error: unknown): boolean => error instanceof Problem && error.code === 'not_found'
