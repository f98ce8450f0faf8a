import type { Client } from '@wp/client'
import type { ColumnNames, Table } from './csv.ts'
import type { HourReader } from './hourly-counts.ts'
import type { DemoOutput } from './output.ts'

/** What is counted, and how it is to be read. */
export interface DemoInput {
  name: string
  table: Table
  columns: ColumnNames
  timezone: string
  hourOf: HourReader
}

/** What every step of the demo works with. */
export interface DemoContext {
  /** Calls under the API key. */
  client: Client
  input: DemoInput
  output: DemoOutput
  /** Aborted when somebody stops the demo. */
  signal: AbortSignal
  /** What the demo takes away again at its end, the last thing first. */
  cleanup: AsyncDisposableStack
}

type ForecastRun = Awaited<ReturnType<Client['solutions']['getForecastRun']>>

/** The forecast of one group. */
export type ForecastSeries = ForecastRun['series'][number]

/** What a series is called: the values of its group. */
export const formatSeriesName = (key: Readonly<Record<string, string>>): string =>
  Object.values(key).join(', ') || 'all'
