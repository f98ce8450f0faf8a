import { auditInternal, type EventFilter, maxForwardedBytes, maxForwardedRecords } from '@wp/contracts'
import { matchesEventFilter } from '@wp/events'
import type { Context } from '../context.ts'
import { parseBody } from '../delivery/request/body.ts'
import { type LogEvent, readLogEvents } from '../store/destinations/event-log.ts'
import type { WritableDestination } from '../store/destinations/progress.ts'
import type { SinkRecord } from './sinks/sink.ts'

/** The next records of a log. */
export interface LogPage {
  /** Records that pass the filter. */
  records: SinkRecord[]
  /** Position of the last record of the page, also one that does not pass. */
  end: number
  /** Records of the page that are no longer kept. */
  missing: number
}

type ReadContext = Pick<Context, 'database' | 'internal'>

/**
 * Reads the records that an event destination gets next: at most 1,000, or as many as have 4 MiB. A batch that has
 * begun is read again to its end.
 * @returns undefined if there is none
 */
export async function readPage(context: ReadContext, destination: WritableDestination): Promise<LogPage | undefined> {
  const { position, batchEnd, headSeq } = destination
  const to = batchEnd ?? headSeq
  if (to <= position) return undefined
  const read = destination.content === 'audit' ? readAuditPage : readEventPage
  const { rows, records } = await read(context, destination, to)
  // Without any record, all of them were deleted before they were written; so may be some of a batch that has begun.
  const end = batchEnd ?? rows.at(-1) ?? to
  return { records, end, missing: end - position - rows.length }
}

interface ReadRows {
  /** Positions of all records that were read. */
  rows: number[]
  records: SinkRecord[]
}

async function readEventPage(
  { database }: ReadContext,
  { workspaceId, position, events, filter }: WritableDestination,
  to: number,
): Promise<ReadRows> {
  const range = { after: position, to, limit: maxForwardedRecords }
  const read = takeWithinLimit(await readLogEvents(database.worker, workspaceId, range))
  const conditions = filter as EventFilter | null // only written in this shape
  const passing = read.filter(
    ({ eventKind, body }) =>
      (events.includes('*') || events.includes(eventKind)) &&
      (conditions === null || matchesEventFilter(conditions, parseBody(body))),
  )
  return { rows: read.map(({ seq }) => seq), records: passing.map(toRecord) }
}

/** Takes the events whose bodies fit, at least one. */
function takeWithinLimit(events: readonly LogEvent[]): LogEvent[] {
  let bytes = 0
  return events.filter(({ body }, index) => {
    bytes += body.length
    return index === 0 || bytes <= maxForwardedBytes
  })
}

/** The body is the one that webhooks deliver; its position and the id of the event stand before it. */
const toRecord = ({ seq, eventId, eventKind, body, occurredAt }: LogEvent): SinkRecord => ({
  seq,
  id: eventId,
  kind: eventKind,
  occurredAt,
  text: `{"seq":${seq},"id":${JSON.stringify(eventId)},${body.toString('utf8').slice(1)}`,
})

async function readAuditPage(
  { internal }: ReadContext,
  { workspaceId, position, format }: WritableDestination,
  to: number,
): Promise<ReadRows> {
  const { records } = await internal.callDelegated(
    'audit_destination',
    auditInternal.readRecordsAfter,
    { workspaceId },
    {
      params: {},
      query: { after: position, to, limit: maxForwardedRecords, format: format === 'ocsf' ? 'ocsf' : 'json' },
      body: undefined,
    },
  )
  return {
    rows: records.map(({ seq }) => seq),
    records: records.map(({ seq, id, action, occurred_at: occurredAt, text }) => ({
      seq,
      id,
      kind: action,
      text,
      occurredAt: new Date(occurredAt),
    })),
  }
}
