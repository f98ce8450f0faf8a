import { defaultMinUsableShare, type InputOf, type solutions } from '@wp/contracts'
import { definedFields } from '@wp/database'
import type { z } from 'zod'
import type { Aggregation, ForecastInput, ForecastOutput, InputSeries, SeriesHistory } from '../../forecast/index.ts'
import type { RestsOn } from '../../workplace/unread-warnings.ts'
import { capacityOf, closedDatesOf } from './group-settings.ts'

/** The body of a request to start a run. */
export type RunBody = InputOf<typeof solutions.startForecastRun>['body']

/**
 * The parameters of a run as returned to the caller: inline points are replaced by their number, and the aggregation is
 * stated.
 */
export interface RunParameters extends Omit<RunBody, 'series' | 'metadata' | 'external_id' | 'min_usable_share'> {
  aggregation: Aggregation
  /** Runs that were started before it existed do not have it. */
  min_usable_share?: number
  series?: { key: InputSeries['key']; point_count: number }[]
}

/** The input of the job. Points are separate because lists omit them. */
export interface RunInput {
  parameters: RunParameters
  /** Inline series, with times of ISO 8601. */
  series?: InputSeries[]
}

type RunDetail = z.input<typeof solutions.getForecastRun.ok>

/** A series of a run over the workplace. */
export type WorkplaceSeries = Omit<RunDetail['series'][number], 'points'> &
  Pick<ForecastOutput['series'][number], 'points'>

/** The result of the job; all but the series and their histories is of runs over the workplace. */
export interface RunResult extends Pick<RunDetail, 'history_until' | 'coherent' | 'left_out' | 'warnings'> {
  /** Of the workplace; runs that were made before it existed do not have it. */
  rests_on?: RestsOn
  series: (ForecastOutput['series'][number] | WorkplaceSeries)[]
  /** At the index of each series; not of sources of which only aggregates are shown, nor of the workplace. */
  histories?: (SeriesHistory | null)[]
}

/** Past values that are shown with a run, of all series together. */
export const maxHistoryValues = 50_000

/** The member of `RunInput` that lists omit. */
export const bulkField: keyof RunInput = 'series'

export function toRunInput({ metadata: _metadata, external_id: _externalId, series, ...rest }: RunBody): RunInput {
  // Of a level the peak counts: a building must hold its busiest moment, and a mean over a day is mostly night.
  const isLevel = rest.measure === 'level' || rest.workplace?.measure === 'peak'
  const parameters = { ...rest, aggregation: rest.aggregation ?? (isLevel ? 'max' : 'sum') }
  if (series === undefined) return { parameters }
  return {
    parameters: { ...parameters, series: series.map(({ key, points }) => ({ key, point_count: points.length })) },
    series,
  }
}

/** Returns the share of usable rows below which the run, or one of its series, fails. */
export const minUsableShareOf = ({ min_usable_share: share = defaultMinUsableShare }: RunParameters): number => share

/** Returns the columns of the times; none of a run of inline series. */
export const timeColumnsOf = ({ timestamp_field: time = [] }: Pick<RunParameters, 'timestamp_field'>): string[] =>
  typeof time === 'string' ? [time] : time

/** Returns the columns of the values; none if rows are counted, and of a run of inline series. */
export const valueColumnsOf = ({ value_field: value = [] }: Pick<RunParameters, 'value_field'>): string[] =>
  typeof value === 'string' ? [value] : value

/** Returns the input of the forecast engine. */
export function toForecastInput(
  parameters: Omit<RunParameters, 'series'>,
  series: readonly InputSeries[],
): ForecastInput {
  const { frequency, aggregation, timezone, horizon, levels, holidays, calendar } = parameters
  return {
    series: series.map(({ key, points, measure = parameters.measure, unusableRows, mayLackRows }) => {
      const capacity = capacityOf(parameters, key)
      const closedDates = closedDatesOf(parameters, key)
      return {
        key,
        points,
        ...definedFields({ measure, unusableRows, mayLackRows, capacity }),
        ...(closedDates.length === 0 ? {} : { closedDates }),
      }
    }),
    frequency,
    aggregation,
    timezone,
    horizon,
    levels: [...levels],
    ...definedFields({ holidays, calendar }),
  }
}
