import type { Client } from '@wp/client/browser'
import { aggregate, type StepValue } from './aggregate.ts'
import type { SeriesKey } from './groups.ts'
import type { Aggregation, Frequency } from './run-input.ts'

/** The history of one group as its source has it now. */
export interface History {
  steps: readonly StepValue[]
  /** The number of records that were read. */
  records: number
  /** True if the source has older records in the time range, which were not read. */
  isCut: boolean
}

export interface HistoryRequest {
  sourceId: string
  timestampField: string
  valueField: string
  /** Values of the fields that name the group. */
  key: SeriesKey
  frequency: Frequency
  aggregation: Aggregation
  timezone: string
  /** The end of the history, exclusive; default the newest record. */
  until?: number
  maxPages: number
}

const pageSize = 100
const dayMs = 86_400_000
/** As much history as helps to judge a forecast. */
const historyDays: Readonly<Record<Frequency, number>> = { hour: 14, day: 56, week: 182 }

type Search = Client['data']['searchRecords']
type Filters = NonNullable<NonNullable<NonNullable<Parameters<Search>[0]>['body']>['filters']>

/**
 * Reads the newest records of a group page by page, and combines them into steps. Records are read in the order in
 * which they were stored, which is much cheaper than ordered by time; so if the time range has more than are read, any
 * step may lack some, and there are no steps. Without an end the newest records are a sample, and all their steps but
 * the oldest one are returned.
 * @param onPage receives the number of records read so far
 */
export async function readHistory(
  api: Client,
  request: HistoryRequest,
  signal: AbortSignal,
  onPage: (history: History) => void,
): Promise<History> {
  const { sourceId, timestampField, valueField, until, maxPages } = request
  const source = await api.data.getSource({ params: { data_source_id: sourceId } }, { signal })
  const typeOf = (field: string) => source.schema.find(({ name }) => name === field)?.type
  const filters: Filters = { [timestampField]: boundsOf(request) }
  for (const [field, value] of Object.entries(request.key)) filters[field] = conditionOf(value, typeOf(field))
  const observations: { ts: unknown; value: unknown }[] = []
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page += 1) {
    const { items, nextCursor }: Awaited<ReturnType<Search>> = await api.data.searchRecords(
      {
        body: {
          data_source_ids: [sourceId],
          filters,
          include: ['data'],
          limit: pageSize,
          ...(cursor !== null && { cursor }),
        },
      },
      { signal },
    )
    observations.push(...items.map(({ data = {} }) => ({ ts: data[timestampField], value: data[valueField] })))
    cursor = nextCursor
    if (cursor === null) break
    onPage(historyOf(observations, true))
  }
  return historyOf(observations, cursor !== null)

  function historyOf(read: typeof observations, isCut: boolean): History {
    const steps = aggregate(read, request).filter(({ time }) => until === undefined || time < until)
    if (!isCut) return { steps, records: read.length, isCut }
    return { steps: until === undefined ? steps.slice(1) : [], records: read.length, isCut }
  }
}

/** Times without an offset are in the zone of the source here and in that of the run there, so a day is added. */
const boundsOf = ({ until, frequency }: HistoryRequest) =>
  until === undefined
    ? { exists: true }
    : {
        gte: new Date(until - (historyDays[frequency] + 1) * dayMs).toISOString(),
        lt: new Date(until + dayMs).toISOString(),
      }

/** A filter compares by the type of the field; the values of a group key are texts. */
function conditionOf(value: string, type: string | undefined) {
  if (value === '') return { exists: false }
  if (type === 'number') return Number(value)
  if (type === 'boolean') return value === 'true'
  return value
}
