import type { Client } from '@wp/client/browser'
import { groupKeyOf, type SeriesKey } from './group-key.ts'

export type ForecastRun = Awaited<ReturnType<Client['solutions']['listForecastRuns']>>['items'][number]
export type ForecastRunDetail = Awaited<ReturnType<Client['solutions']['getForecastRun']>>
export type ForecastSeries = ForecastRunDetail['series'][number]
export type NewForecast = Parameters<Client['solutions']['startForecastRun']>[0]['body']
export type Frequency = NewForecast['frequency']
export type Aggregation = NonNullable<NewForecast['aggregation']>

/** The input of a run. Points of inline series are not in it. */
export type RunInput = Omit<NewForecast, 'series' | 'metadata' | 'external_id'> & {
  series?: { key: SeriesKey; point_count: number }[]
}

/** Returns the input of a run, which the service has parsed with the contract of a new run before it stored it. */
export const runInput = (run: Pick<ForecastRun, 'input'>): RunInput => run.input as unknown as RunInput

/** Returns the capacity of a series; undefined if the run has none for it. */
export function capacityOf({ capacity, group_by }: RunInput, key: SeriesKey): number | undefined {
  if (typeof capacity !== 'object') return capacity
  const groupKey = groupKeyOf(key, group_by)
  return Object.hasOwn(capacity, groupKey) ? capacity[groupKey] : undefined
}

/** True while a run changes by itself. */
export const isActive = ({ status }: Pick<ForecastRun, 'status'>): boolean =>
  status === 'queued' || status === 'running'
