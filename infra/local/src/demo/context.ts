import type { Client } from '@wp/client'
import type { ColumnNames, Table } from './csv.ts'
import type { HourReader } from './hourly-counts.ts'
import type { DemoOutput } from './output.ts'

/** The counts to forecast, and the columns and time zone to read them with. */
export interface DemoInput {
  name: string
  table: Table
  columns: ColumnNames
  timezone: string
  hourOf: HourReader
}

/** The state that the steps of the demo share. */
export interface DemoContext {
  /** A client with the demo's API key. */
  client: Client
  input: DemoInput
  output: DemoOutput
  /** Aborted when the user stops the demo. */
  signal: AbortSignal
  /** Deletes what the demo created, in reverse order. */
  cleanup: AsyncDisposableStack
}

type ForecastRun = Awaited<ReturnType<Client['solutions']['getForecastRun']>>

/** The forecast of one group. */
export type ForecastSeries = ForecastRun['series'][number]

/** The name of a series: the values of its group. */
export const formatSeriesName = (key: Readonly<Record<string, string>>): string =>
  Object.values(key).join(', ') || 'all'
