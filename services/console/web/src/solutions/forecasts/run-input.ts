import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'
import { groupKeyOf, type SeriesKey, workplaceId } from './groups.ts'

export type ForecastRun = Awaited<ReturnType<Client['solutions']['listForecastRuns']>>['items'][number]
export type ForecastRunDetail = Awaited<ReturnType<Client['solutions']['getForecastRun']>>
export type ForecastSeries = ForecastRunDetail['series'][number]
export type NewForecast = Parameters<Client['solutions']['startForecastRun']>[0]['body']
export type Frequency = NewForecast['frequency']

/** The input of a run. Points of inline series are not in it. */
export type RunInput = Omit<NewForecast, 'series' | 'metadata' | 'external_id'> & {
  series?: { key: SeriesKey; point_count: number }[]
}

/** Returns the input of a run, which the service has parsed with the contract of a new run before it stored it. */
export const runInput = (run: Pick<ForecastRun, 'input'>): RunInput => run.input as unknown as RunInput

/** The member of a series key that names its column, if a run has several columns of values. */
const columnKey = 'field'

/** Returns the members of the series keys of a run, in order; undefined for pasted series. */
export const keyFieldsOf = ({ group_by: groupBy, value_field: value }: Pick<RunInput, 'group_by' | 'value_field'>) =>
  Array.isArray(value) ? [...(groupBy ?? []), columnKey] : groupBy

/**
 * Returns the key by which a run names a series in addresses and capacities; of the workplace, the id of the space or
 * team.
 */
export const seriesKeyOf = (input: RunInput, key: SeriesKey): string =>
  workplaceId(key) ?? groupKeyOf(key, keyFieldsOf(input))

/** Lists columns for people; a dash if there is none. */
export const columnsText = (columns: string | readonly string[] | undefined): string =>
  columns === undefined ? '–' : typeof columns === 'string' ? columns : columns.join(', ')

/** Returns the capacity of a series; undefined if the run has none for it. */
export function capacityOf(input: RunInput, key: SeriesKey): number | undefined {
  const { capacity } = input
  if (typeof capacity !== 'object') return capacity
  const groupKey = groupKeyOf(key, keyFieldsOf(input))
  return Object.hasOwn(capacity, groupKey) ? capacity[groupKey] : undefined
}

/** True while a run changes by itself. */
export const isActive = ({ status }: Pick<ForecastRun, 'status'>): boolean =>
  status === 'queued' || status === 'running'

type InlineSeries = NonNullable<NewForecast['series']>

const keyOf = (workspaceId: string, runId: string) => [workspaceId, 'forecast-inputs', runId]

/**
 * Keeps the inline series of a run until the page is reloaded: the API returns the number of their points only, and
 * they are the history of the charts.
 */
export function rememberSeries(client: QueryClient, workspaceId: string, runId: string, series: InlineSeries): void {
  client.setQueryDefaults(keyOf(workspaceId, runId), { gcTime: Number.POSITIVE_INFINITY })
  client.setQueryData(keyOf(workspaceId, runId), series)
}

/** Returns the inline series of a run that was started here. */
export const recallSeries = (client: QueryClient, workspaceId: string, runId: string): InlineSeries | undefined =>
  client.getQueryData<InlineSeries>(keyOf(workspaceId, runId))

type UtilizationPage = Awaited<ReturnType<Client['solutions']['getUtilization']>>

export type Measure = 'attendance' | 'peak'
export const bothMeasures = ['attendance', 'peak'] as const

/** Counters and bookings do not tell people apart, and have the most people at a moment alone. */
export const measuresOf = ({ items, meta }: Pick<UtilizationPage, 'items' | 'meta'>): readonly Measure[] =>
  meta.pending_weeks > 0 || items.some((row) => row.attendance !== null || row.attendance_source !== null)
    ? bothMeasures
    : ['peak']
