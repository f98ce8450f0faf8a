import { Problem, problem } from '@wp/contracts'
import { encodeCursor, type Query } from '@wp/database'
import type { Operation } from '../context.ts'
import { takeChanges } from '../store/feeds/row-changes.ts'
import {
  closeFeed,
  lockFeed,
  openFeed,
  type RowChange,
  type RowFeed,
  readLastPage,
  savePage,
} from '../store/feeds/row-feeds.ts'
import { maxPageBytes, readFields } from '../store/records/read-fields.ts'
import { lockSource } from '../store/sources/locked-source.ts'

/** Opens a feed of the rows of a source. */
export const openRowFeed: Operation<'openRowFeed'> = ({ database }, caller, { params, body }) =>
  database.transact(caller, async ({ query }) => {
    const source = await lockSource(query, caller.workspaceId, params.data_source_id).catch(nameMissingSource)
    const { generation } = await openFeed(query, source, body.feed_id, body.fields)
    return { feed_id: body.feed_id, generation, fields: body.fields }
  })

/** Tells a source that does not exist from a path that does not: a subscriber erases what rests on such a source. */
function nameMissingSource(error: unknown): never {
  if (!(error instanceof Problem && error.code === 'not_found')) throw error
  throw problem('not_found', { errors: [{ pointer: '/data_source_id', detail: 'No data source has this id' }] })
}

/**
 * Reads the next page of a feed, or the last one again if it is not acknowledged. The source is locked first, as by
 * every writer of its records: readers and writers take turns, and wait in one order.
 */
export const readRowFeed: Operation<'readRowFeed'> = ({ database }, caller, { params, body }) =>
  database.transact(caller, async ({ query }) => {
    const source = await lockSource(query, caller.workspaceId, params.data_source_id)
    const feed = await lockFeed(query, source, params.feed_id)
    const { generation } = feed
    const { pageId, rows, hasMore } = await readPage(query, feed, body)
    return {
      generation,
      page_id: pageId,
      rows,
      has_more: hasMore,
      total_records: source.recordCount,
      refused_rows: source.refusedRows,
    }
  })

/** Closes a feed. */
export const closeRowFeed: Operation<'closeRowFeed'> = ({ database }, caller, { params }) =>
  database.transact(caller, async ({ query }) => {
    await closeFeed(query, {
      workspaceId: caller.workspaceId,
      dataSourceId: params.data_source_id,
      feedId: params.feed_id,
    })
    return { id: params.feed_id }
  })

interface PageRequest {
  generation: number
  acknowledged_page: number
  limit: number
}

async function readPage(
  query: Query,
  feed: RowFeed,
  request: PageRequest,
): Promise<Omit<NextRows, 'readTo'> & Pick<RowFeed, 'pageId'>> {
  if (!isLastPageStored(feed, request))
    return { pageId: feed.pageId, rows: await readLastPage(query, feed), hasMore: true }
  const { rows, hasMore, readTo } = await readNextRows(query, feed, request.limit)
  const hasRows = rows.length > 0
  const pageId = hasRows ? feed.pageId + 1 : feed.pageId
  await savePage(query, feed, { pageId, page: hasRows ? rows : undefined, readTo })
  return { pageId, rows, hasMore }
}

/**
 * Returns true if the subscriber has stored the last page, and false if it has stored the one before it.
 * @throws Problem `conflict` if it has neither: what it computed does not belong to this feed
 */
function isLastPageStored({ generation, pageId, hasPage }: RowFeed, request: PageRequest): boolean {
  if (request.generation === generation) {
    if (request.acknowledged_page === pageId) return true
    if (hasPage && request.acknowledged_page === pageId - 1) return false
  }
  throw problem('conflict', {
    detail: `The feed is at page ${pageId} of generation ${generation}; close it, and open it again`,
  })
}

interface NextRows extends Pick<RowFeed, 'readTo'> {
  rows: RowChange[]
  hasMore: boolean
}

/** Reads what changed in the records that the subscriber has, then further records. */
async function readNextRows(query: Query, feed: RowFeed, limit: number): Promise<NextRows> {
  const { workspaceId, dataSourceId, fields, readTo } = feed
  const changes = await takeChanges(query, feed, { limit, maxBytes: maxPageBytes })
  const remaining = { limit: limit - changes.rows.length, maxBytes: maxPageBytes - changes.bytes }
  if (changes.hasMore || remaining.limit <= 0 || remaining.maxBytes <= 0)
    return { rows: changes.rows, hasMore: true, readTo }
  await query('SET LOCAL enable_sort = off') // as in record-keys.ts
  const { rows, after, end } = await readFields(query, workspaceId, dataSourceId, {
    fields,
    after: readTo === null ? undefined : encodeCursor(readTo),
    ...remaining,
  })
  const added: RowChange[] = rows.map((current) => ({ previous: null, current }))
  return { rows: [...changes.rows, ...added], hasMore: after !== null, readTo: end ?? readTo }
}
