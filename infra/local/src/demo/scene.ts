import type { Client } from '@wp/client'
import type { Columns, Table } from './csv.ts'
import type { HourReader } from './hours.ts'
import type { Stage } from './stage.ts'

/** What is counted, and how it is to be read. */
export interface Counts {
  name: string
  table: Table
  columns: Columns
  timezone: string
  hourOf: HourReader
}

/** What every step of the demo works with. */
export interface Scene {
  /** Calls under the API key. */
  client: Client
  counts: Counts
  stage: Stage
  /** Aborted when somebody stops the demo. */
  signal: AbortSignal
  /** What the demo takes away again at its end, the last thing first. */
  leftovers: AsyncDisposableStack
}

type ForecastRun = Awaited<ReturnType<Client['solutions']['getForecastRun']>>

/** The forecast of one group. */
export type ForecastSeries = ForecastRun['series'][number]

/** What a series is called: the values of its group. */
export const nameOf = (key: Readonly<Record<string, string>>): string => Object.values(key).join(', ') || 'all'
