import type { Preview } from './review/preview.ts'

/** The parameters of the page of a new forecast. */
export interface ForecastSearch {
  source: string
  time?: string
  value?: string
  group?: string
  aggregation?: 'mean'
}

/**
 * Returns the parameters of a forecast of an uploaded file; undefined if it has no column of times or of values. Without
 * a preview the page chooses the columns itself.
 */
export function forecastSearch(
  source: string,
  suggestions: Preview['suggestions'] | undefined,
): ForecastSearch | undefined {
  if (suggestions === undefined) return { source }
  const { timestamp, value, group_by: groups, measure } = suggestions
  const [time, ...furtherTimes] = timestamp
  if (time === undefined || value[0] === undefined || furtherTimes.length > 0) return undefined
  return {
    source,
    time,
    value: value[0],
    ...(groups[0] !== undefined && { group: groups[0] }),
    // The sum of several levels within an hour is no level.
    ...(measure === 'level' && { aggregation: 'mean' }),
  }
}
