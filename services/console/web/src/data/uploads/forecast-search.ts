import type { DatasetKind } from '../../workplace/datasets/dataset-words.ts'
import type { Preview } from './review/preview/preview-values.ts'

/** The parameters of the page of a new forecast. */
export interface ForecastSearch {
  source: string
  time?: string
  /** The second column of the times. */
  hour?: string
  value?: string
  /** Further columns of values. */
  more?: string[]
  group?: string[]
  measure?: 'level' | 'flow'
  aggregation?: 'count' | 'max'
}

/**
 * Returns the parameters of a forecast of an uploaded file; undefined if it has no times, or nothing to add up or
 * count. Without a preview the page chooses the columns itself.
 *
 * @param kind what the file is about
 */
export function forecastSearch(
  source: string,
  suggestions: Preview['suggestions'] | undefined,
  kind: DatasetKind | undefined,
): ForecastSearch | undefined {
  if (suggestions === undefined) return { source }
  const { timestamp, value: values, group_by: groups, dataset } = suggestions
  const [time, hour] = timestamp
  const [value, ...more] = values
  const isCounted = value === undefined && (kind === 'badge_events' || kind === 'attendance_days')
  if (time === undefined || (value === undefined && !isCounted)) return undefined
  // Rows of several places have the same times: one forecast of all would take the busiest place for the building.
  const { space, building, value: present } = dataset?.kind === 'counts' ? dataset.mapping : {}
  const places = [building, space].filter((name) => name !== undefined && groups.includes(name))
  const isByPlace = space !== undefined && places.includes(space)
  const group = isByPlace ? groups.filter((name) => places.includes(name)) : groups.slice(0, 1)
  const measure = suggestions.measure ?? (isByPlace && value !== undefined && present === value ? 'level' : null)
  return {
    source,
    time,
    ...(hour !== undefined && { hour }),
    ...(value !== undefined && { value }),
    ...(more.length > 0 && { more }),
    ...(group.length > 0 && { group }),
    ...(measure !== null && { measure }),
    ...(isCounted && { aggregation: 'count' }),
    // The sum of several levels within a step is no level.
    ...(measure === 'level' && { aggregation: 'max' }),
  }
}
