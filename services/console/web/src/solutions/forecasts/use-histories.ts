import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useApi, useWorkspaceId } from '../../session/workspace-context.tsx'
import { aggregate } from './aggregate.ts'
import { groupKeyOf } from './groups.ts'
import { type History, readHistory } from './read-history.ts'
import {
  columnOf,
  type ForecastRunDetail,
  type ForecastSeries,
  keyFieldsOf,
  type RunInput,
  recallSeries,
  runInput,
} from './run-input.ts'

/** The history of a group while it is read: pages are added until it is complete. */
export interface GroupHistory {
  history: History | undefined
  isReading: boolean
  error: unknown
}

/** At most 800 records a group, 100 a page. */
const maxPages = 8
const historyMs = 300_000

/** Reads the histories of some groups of a run: from its data source, or from the inline series that were sent here. */
export function useHistories(run: ForecastRunDetail, groups: readonly ForecastSeries[]): GroupHistory[] {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const client = useQueryClient()
  const input = runInput(run)
  const keys = groups.map(({ key }) => [workspaceId, 'forecast-history', run.id, groupKeyOf(key, keyFieldsOf(input))])
  const isSettled = (queryKey: readonly string[]) => {
    const state = client.getQueryState(queryKey)
    return state !== undefined && state.status !== 'pending' && state.fetchStatus === 'idle'
  }
  return useQueries({
    queries: groups.map((series, index) => {
      const queryKey = keys[index] ?? []
      return {
        queryKey,
        // One group after the other: a workspace has few searches at once, and those that wait time out.
        enabled: keys.slice(0, index).every(isSettled),
        staleTime: historyMs,
        retry: false,
        queryFn: async ({ signal }: { signal: AbortSignal }): Promise<History> => {
          const request = requestOf(input, series)
          if (request === undefined)
            return inlineHistory(input, series, recallSeries(client, workspaceId, run.id)) ?? noHistory
          return readHistory(api, { ...request, maxPages }, signal, (part) => client.setQueryData(queryKey, part))
        },
      }
    }),
    combine: (results) =>
      results.map(({ data, isFetching, isPending, error }) => ({
        history: data,
        isReading: isFetching || isPending,
        error,
      })),
  })
}

const noHistory: History = { steps: [], records: 0, isCut: false }

/** Records are ordered by the text of a time, so those of another format than ISO 8601 cannot be read from the end. */
function requestOf(input: RunInput, { key, points }: ForecastSeries) {
  const { data_source_id: sourceId } = input
  const [timestampField, hourField] = [input.timestamp_field ?? []].flat()
  const { column: valueField, group } = columnOf(input, key)
  if (sourceId === undefined || timestampField === undefined || valueField === undefined) return undefined
  // Date and hour are joined by the forecast alone.
  if (hourField !== undefined) return undefined
  if (input.timestamp_format !== undefined) return undefined
  const start = points[0]?.ts
  return {
    ...{ sourceId, timestampField, valueField, key: group },
    ...{ frequency: input.frequency, aggregation: input.aggregation ?? 'sum', timezone: input.timezone },
    ...(start !== undefined && { until: Date.parse(start) }),
  }
}

const maxInlineSteps = 400

function inlineHistory(
  input: RunInput,
  { key }: ForecastSeries,
  all: ReturnType<typeof recallSeries>,
): History | undefined {
  const own = all?.find((series) => groupKeyOf(series.key ?? {}) === groupKeyOf(key))
  if (own === undefined) return undefined
  const steps = aggregate(own.points, input)
  return { steps: steps.slice(-maxInlineSteps), records: own.points.length, isCut: steps.length > maxInlineSteps }
}
