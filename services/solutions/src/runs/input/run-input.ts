import type { InputOf, solutions } from '@wp/contracts'
import type { ForecastInput, ForecastOutput, InputSeries } from '../../forecast/index.ts'
import { capacityOf } from './capacities.ts'
import { closedDatesOf } from './closures.ts'

/** The body of a request to start a run. */
export type RunBody = InputOf<typeof solutions.startForecastRun>['body']

/** The parameters of a run as returned to the caller: inline points are replaced by their number. */
export interface RunParameters extends Omit<RunBody, 'series' | 'metadata' | 'external_id'> {
  series?: { key: InputSeries['key']; point_count: number }[]
}

/** The input of the job. Points are separate because lists omit them. */
export interface RunInput {
  parameters: RunParameters
  /** Inline series, with times of ISO 8601. */
  series?: InputSeries[]
}

/** The result of the job. */
export type RunResult = Pick<ForecastOutput, 'series'>

/** The member of `RunInput` that lists omit. */
export const bulkField: keyof RunInput = 'series'

export function toRunInput({
  metadata: _metadata,
  external_id: _externalId,
  series,
  ...parameters
}: RunBody): RunInput {
  if (series === undefined) return { parameters }
  return {
    parameters: { ...parameters, series: series.map(({ key, points }) => ({ key, point_count: points.length })) },
    series,
  }
}

/** Returns the input of the forecast engine. */
export function toForecastInput(
  parameters: Omit<RunParameters, 'series'>,
  series: readonly InputSeries[],
): ForecastInput {
  const { frequency, aggregation, timezone, horizon, levels, holidays, calendar } = parameters
  return {
    series: series.map(({ key, points }) => {
      const capacity = capacityOf(parameters, key)
      const closedDates = closedDatesOf(parameters, key)
      return {
        ...{ key, points },
        ...(capacity === undefined ? {} : { capacity }),
        ...(closedDates.length === 0 ? {} : { closedDates }),
      }
    }),
    frequency,
    aggregation,
    timezone,
    horizon,
    levels: [...levels],
    ...(holidays === undefined ? {} : { holidays }),
    ...(calendar === undefined ? {} : { calendar }),
  }
}
