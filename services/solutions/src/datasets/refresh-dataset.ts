import { isDeepStrictEqual } from 'node:util'
import { dataInternal, Problem } from '@wp/contracts'
import type { Job } from '@wp/jobs'
import { findUnmarkedSpaces, meaningOfUses } from '../attendance/counting/booking-uses.ts'
import { daysAround } from '../attendance/recount.ts'
import { requestRecount } from '../attendance/request-recount.ts'
import type { Context } from '../context.ts'
import type { Control, Tx } from '../store/client.ts'
import {
  type Dataset,
  findDataset,
  lockDataset,
  noMeaning,
  type UseMeaning,
  updateDatasetRow,
} from '../store/datasets.ts'
import { deleteFactsOf, findDayUses, findFactRange, findSpaceUses } from '../store/facts.ts'
import { findSpaceNodes, type SpaceNode } from '../store/spaces.ts'
import { readSalt } from '../store/workplace-settings.ts'
import { effectiveValues } from '../workplace/inherit.ts'
import { dateOf, dayOf } from '../workplace/local-days.ts'
import { createMatcher } from '../workplace/match-values.ts'
import { buildTree, pathOf } from '../workplace/tree.ts'
import { applyPage, fieldsOf, isCountedKind, type PageContext, type RowChange } from './apply-page.ts'
import { importSpaces } from './import-spaces.ts'
import { createZoneOffset, type ZoneOffset } from './read-cells.ts'
import {
  beginRefresh,
  DatasetDeleted,
  eraseDataset,
  lockCurrent,
  type RefreshInput,
  RefreshOutdated,
  SourceDeleted,
} from './refresh-requests.ts'

/**
 * Reads the changed rows of a dataset page by page. Facts, counts and the number of the page commit together, so a page
 * that is read twice is applied once. A dataset whose source was deleted is erased: its figures rest on erased records.
 * @throws JobFailure if the columns are gone
 */
export async function refreshDataset(context: Context, job: Job, control: Control): Promise<void> {
  try {
    const dataset = await beginRefresh(job, control)
    if (isCountedKind(dataset.kind)) await refreshFacts(context, dataset, control)
    else {
      // A feed that is not read records nothing, but announces changes.
      await openFeed(context, dataset)
      await importSpaces(context, dataset, control)
    }
  } catch (error) {
    const { datasetId, dataSourceId } = job.input as RefreshInput // written by requestRefresh and the operation
    if (error instanceof RefreshOutdated) await control.requeue()
    else if (error instanceof SourceDeleted) {
      await control.finish(async (tx) => {
        if (await eraseDataset(tx, job.workspaceId, datasetId))
          tx.emitAudit({
            action: 'dataset.deleted',
            targets: [{ type: 'dataset', id: datasetId }],
            changes: { deleted_data_source: dataSourceId },
          })
        return {}
      })
    } else if (error instanceof DatasetDeleted) {
      await closeFeed(context, job.workspaceId, dataSourceId, datasetId)
      await control.finish()
    } else throw error
  }
}

async function refreshFacts(context: Context, dataset: Dataset, control: Control): Promise<void> {
  const { workspaceId, id } = dataset
  const changes = await readPages(context, dataset, control)
  const noteRefresh = async (tx: Tx) => {
    if (dataset.kind === 'bookings') await refreshUses(tx, dataset)
    await updateDatasetRow(tx.db, workspaceId, id, { refreshedAt: new Date() })
    return { changes }
  }
  try {
    await control.finish(async (tx) => {
      await lockCurrent(tx, dataset)
      return noteRefresh(tx)
    })
  } catch (error) {
    // A source that changes all the time keeps the job from its end, but is read.
    if (error instanceof RefreshOutdated) await control.checkpoint(async (tx) => ({ detail: await noteRefresh(tx) }))
    throw error
  }
}

/** Reads what bookings without a mark tell now that all rows are read: page by page, it would change all the time. */
async function refreshUses(tx: Tx, { workspaceId, id, mapping }: Dataset): Promise<void> {
  const before = (await findDataset(tx.db, workspaceId, id))?.uses ?? noMeaning
  const uses = meaningOfUses(mapping, await findDayUses(tx.query, workspaceId, id))
  if (uses.last !== '')
    uses.unmarkedSpaces = findUnmarkedSpaces(uses, await findSpaceUses(tx.query, workspaceId, id, uses))
  if (isDeepStrictEqual(before, uses)) return
  const isOfAllDays = !isDeepStrictEqual({ ...before, first: '', last: '' }, { ...uses, first: '', last: '' })
  const rangeOf = (of: UseMeaning) => (of.last === '' ? null : of)
  await requestRecount(tx, workspaceId, isOfAllDays ? undefined : daysAtEnds(rangeOf(before), rangeOf(uses)))
  await updateDatasetRow(tx.db, workspaceId, id, { uses })
}

/**
 * Returns days of the weeks between the former and the present ends of a dataset, or of the days on which a booking
 * without a mark tells something: a day without rows has no one within the range, and nothing is known of it outside.
 */
function daysAtEnds(before: FactRange | null, after: FactRange | null): string[] {
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

type FactRange = { first: string; last: string }

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
      throw isMissing(error, '/data_source_id') ? new SourceDeleted() : error
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
  const empty = {
    feedGeneration: generation,
    appliedPage: 0,
    rowsRead: 0,
    unusedRows: {},
    uses: noMeaning,
    hasInstants: false,
    refreshedAt: null,
  }
  await control.checkpoint(async (tx) => {
    await lockCurrent(tx, dataset)
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
    if (!(await lockDataset(tx.query, workspaceId, dataset.id))) throw new DatasetDeleted()
    const current = await findDataset(tx.db, workspaceId, dataset.id)
    if (current === null) throw new DatasetDeleted()
    if (current.feedGeneration !== dataset.feedGeneration) throw new RefreshOutdated()
    Object.assign(dataset, {
      appliedPage: current.appliedPage,
      rowsRead: current.rowsRead,
      unusedRows: current.unusedRows,
      hasInstants: current.hasInstants,
    })
    if (current.appliedPage === pageId) return {}
    const before = await findFactRange(tx.query, workspaceId, dataset.id)
    const { days, ...counts } = await applyPage(tx.query, page, rows)
    const atEnds = daysAtEnds(before, await findFactRange(tx.query, workspaceId, dataset.id))
    await updateDatasetRow(tx.db, workspaceId, dataset.id, { ...counts, appliedPage: pageId })
    Object.assign(dataset, counts, { appliedPage: pageId })
    const changed = dataset.kind === 'badge_events' ? daysAround(days) : days
    // Members change what every day says about teams.
    await requestRecount(tx, workspaceId, days.includes(dateOf(0)) ? undefined : [...changed, ...atEnds])
    return {}
  })
}

/** @param named the field that the data service says is missing, which a service without the endpoint does not */
const isMissing = (error: unknown, named?: string): boolean =>
  error instanceof Problem &&
  error.code === 'not_found' &&
  (named === undefined || error.errors.some(({ pointer }) => pointer === named))
