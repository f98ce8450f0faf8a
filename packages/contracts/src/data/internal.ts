import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { quotaUsageEndpoint } from '../core/quota/quota-usage.ts'
import { text } from '../core/shape/shape.ts'
import { maxFieldNameLength } from './search-filter.ts'
import { sourcePath } from './source-shapes.ts'

/** The longest list of field names that the endpoints below take, percent-encoded and separated by commas. */
export const maxFieldListLength = 4_000

const rowsDescription =
  'Values are converted by the schema of the source: text in a number field becomes a number, likewise booleans. Times remain text, except in a field declared with a time zone, where they become instants in UTC. A value that does not match the declared type is returned as it is stored. Null stands for empty text and a missing field alone. A page may be shorter than `limit`: only `after` states whether there is more.'

/** Input and response of the endpoints that read rows. */
const selectedRows = {
  params: sourcePath,
  query: z.strictObject({
    /** Comma-separated field names, each percent-encoded. */
    fields: z.string().min(1).max(maxFieldListLength),
    /** `after` of the previous page. */
    after: z.string().max(512).optional(),
    limit: z.coerce.number().int().min(1).max(10_000).default(5000),
  }),
  bare: z.object({
    rows: z.array(z.array(z.unknown())),
    after: z.string().nullable(),
    /** Rows of the files or feed that were refused, and so are not stored. Of the whole source, on every page. */
    refused_rows: z.number().int().optional(),
    /** True if the records are restricted to aggregates: no message may quote a value. Otherwise absent. */
    is_restricted: z.literal(true).optional(),
  }),
}

/** The most feeds of a source. */
export const maxRowFeeds = 10
/** The most fields that a feed has. */
const maxFeedFields = 50
/** The most changes in a page of a feed. */
export const maxFeedPageRows = 10_000

const feedId = z.string().regex(/^[a-z]{1,16}_[0-9a-z]{1,40}$/, 'must be an identifier, such as that of the subscriber')
const feedPath = sourcePath.extend({ feed_id: feedId })

/** The fields of a record in the order of the feed, as stored. */
const Cells = z.array(z.unknown())

/** A change of a record since the subscriber has last received it. */
const RowChange = z.object({
  /** The cells as the subscriber has received them; null if it does not have the record. */
  previous: Cells.nullable(),
  /** Null if the record was deleted. */
  current: Cells.nullable(),
})

/**
 * Feeds of rows: a subscriber keeps what it computes from the records of a source up to date, and gets each insertion,
 * update and deletion exactly once.
 */
const rowFeedEndpoints = declareEndpoints('data', {
  openRowFeed: {
    method: 'POST',
    path: '/internal/data/sources/{data_source_id}/feeds',
    summary: 'Open a feed of the rows of a source; idempotent',
    description:
      'A feed that is open with the same fields continues. With other fields it starts from the beginning, with another `generation`. A source has at most ten feeds. A feed whose changes are not read for 30 days is closed.',
    audience: 'internal',
    scope: 'data:read',
    callers: ['solutions'],
    delegations: ['dataset_refresh'],
    params: sourcePath,
    body: z.strictObject({ feed_id: feedId, fields: z.array(text(maxFieldNameLength)).min(1).max(maxFeedFields) }),
    ok: z.object({ feed_id: feedId, generation: z.number().int(), fields: z.array(z.string()) }),
    errors: ['conflict'],
  },
  readRowFeed: {
    method: 'POST',
    path: '/internal/data/sources/{data_source_id}/feeds/{feed_id}/pages',
    summary: 'Acknowledge the last page of a feed and read the next one',
    description:
      'A page is returned unchanged until it is acknowledged. The subscriber stores the `page_id` together with what it computes from the page, and sends it with the next request. The records of the source come first, as changes without `previous`; then every later change, as the difference to what the subscriber has. Values are not converted: a conversion that changes between two pages would make `previous` differ from what was sent. A subscriber that changes how it reads values closes the feed and opens it again. 404: the feed is not open. 409: the generation is another one, or the page is not the last one or the one before it; the subscriber closes the feed, opens it, and starts from the beginning.',
    audience: 'internal',
    scope: 'data:read',
    callers: ['solutions'],
    delegations: ['dataset_refresh'],
    params: feedPath,
    body: z.strictObject({
      generation: z.number().int().min(1),
      /** The last page that the subscriber has stored; 0 before the first. */
      acknowledged_page: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(maxFeedPageRows).default(maxFeedPageRows),
    }),
    bare: z.object({
      generation: z.number().int(),
      /** An empty page has the id of the page before it. */
      page_id: z.number().int(),
      rows: z.array(RowChange),
      /** True also if the page is sent again. */
      has_more: z.boolean(),
      /** Number of records of the source, for the progress of the first pass. */
      total_records: z.number().int(),
      /** Rows of the files or feed that were refused, and so are not stored. */
      refused_rows: z.number().int(),
    }),
    errors: ['conflict'],
  },
  closeRowFeed: {
    method: 'DELETE',
    path: '/internal/data/sources/{data_source_id}/feeds/{feed_id}',
    summary: 'Close a feed; idempotent',
    audience: 'internal',
    scope: 'data:read',
    callers: ['solutions'],
    delegations: ['dataset_refresh'],
    params: feedPath,
    deleted: 'feed_id',
  },
})

/** Endpoints of data for other services. */
export const dataInternal = declareEndpoints('data', {
  ...rowFeedEndpoints,
  readQuotaUsage: quotaUsageEndpoint('data', 'data'),
  readRows: {
    method: 'GET',
    path: '/internal/data/sources/{data_source_id}/rows',
    summary: 'Read selected fields of every record of a source, in large pages, oldest first',
    description: `${rowsDescription} Also reads sources whose records are restricted to aggregates.`,
    audience: 'internal',
    scope: 'data:read',
    callers: ['solutions'],
    delegations: ['dataset_refresh'],
    ...selectedRows,
  },
  readUnrestrictedRows: {
    method: 'GET',
    path: '/internal/data/sources/{data_source_id}/unrestricted-rows',
    summary: 'Read selected fields of every record of a source whose records are not restricted to aggregates',
    description: rowsDescription,
    audience: 'internal',
    scope: 'data:read',
    callers: ['ai'],
    ...selectedRows,
    errors: ['records_restricted'],
  },
})
