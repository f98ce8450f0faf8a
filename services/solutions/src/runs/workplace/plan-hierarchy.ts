import { JobFailure } from '@wp/jobs'
import { failure } from '../../failure.ts'
import {
  type Covariate,
  type HierarchyInput,
  type Level,
  maxNodes,
  maxValue,
  minimumDays,
} from '../../forecast/index.ts'
import { dateOf, dayOf } from '../../workplace/local-days.ts'
import type { WorkplaceHolidays } from './holidays.ts'
import { type LeftOut, leaveOut } from './leave-out.ts'
import type { Workplace } from './read-workplace.ts'

/** Names of a message. */
const maxNamed = 10

/**
 * Plans the forecast of all spaces or teams that get a series. The values of one with others in it are its total:
 * people who visit two floors count once in the building.
 * @throws JobFailure if none gets a series
 */
export function planHierarchy(
  { nodes, first, last, threshold, isTeam, pendingWeeks, historyWarnings }: Workplace,
  holidays: WorkplaceHolidays['of'],
  { horizon, levels }: { horizon: number; levels: readonly Level[] },
): { input: HierarchyInput; leftOut: Map<string, LeftOut> } {
  const requiredDays = minimumDays(horizon)
  const leftOut = leaveOut(nodes, { threshold, requiredDays, isTeam })
  const kept = nodes.filter(({ id }) => !leftOut.has(id))
  if (kept.length === 0)
    throw pendingWeeks > 0
      ? stillCounting(pendingWeeks)
      : nothingToForecast(nodes, leftOut, { requiredDays, isTeam, historyWarnings })
  if (kept.length > maxNodes)
    throw failure(
      'too_many_series',
      `A run forecasts ${maxNodes} series, and not ${kept.length}: ask for a part of them.`,
    )
  for (const { name, values } of kept) {
    const day = values.findIndex((value) => (value ?? 0) > maxValue)
    if (day !== -1)
      throw failure(
        'value_too_large',
        `"${name}" has ${values[day]} people on ${dateOf(dayOf(first) + day)}, and a forecast takes ${maxValue} at most: ` +
          'correct its datasets.',
      )
  }
  return {
    leftOut,
    input: {
      nodes: kept.map(({ id, parentId, values, bookings }) => {
        const covariate = bookingCovariate(bookings, { since: first, length: values.length, horizon })
        return {
          id,
          parent: parentId,
          series: { since: first, values },
          holidays: holidays.get(id) ?? [],
          ...(covariate === undefined ? {} : { covariate }),
        }
      }),
      lastDate: last,
      horizon,
      levels: [...levels],
    },
  }
}

/** Before all weeks are counted, too little history is no fault of the files. */
const stillCounting = (weeks: number) =>
  new JobFailure({
    code: 'no_data',
    message:
      `Too few weeks of these spaces or teams are counted yet, and ${weeks} are still being counted: start the run again ` +
      'when `meta.pending_weeks` of their utilization is 0.',
    retryable: true,
  })

export function nothingToForecast(
  nodes: Workplace['nodes'],
  leftOut: ReadonlyMap<string, LeftOut>,
  of: { requiredDays: number; isTeam: boolean; historyWarnings?: readonly string[] },
) {
  const { requiredDays, isTeam, historyWarnings = [] } = of
  const short = nodes.flatMap(({ id, name }) => {
    const { reason, days } = leftOut.get(id) ?? {}
    return reason === 'too_short' && days !== undefined ? [`${name} (${days})`] : []
  })
  if (short.length > 0) {
    const others = short.length > maxNamed ? ` and ${short.length - maxNamed} others` : ''
    return failure(
      'series_too_short',
      `A forecast of so many days needs at least ${requiredDays} days of history, half of them with values. Too short: ` +
        [`${short.slice(0, maxNamed).join(', ')}${others}.`, ...historyWarnings].join(' '),
    )
  }
  const isPrivate = [...leftOut.values()].some(({ reason }) => reason === 'privacy')
  return failure(
    'no_data',
    isPrivate
      ? 'Every space or team is below the privacy threshold: ask for those around them.'
      : isTeam
        ? 'No badge events or lists of attendance tell who of these teams came.'
        : 'No badge events or lists of attendance tell who came. Where people counters or bookings do, forecast the people present.',
  )
}

/** Weeks whose bookings are usual, and the share of them from which a week to come counts as booked. */
const [usualWeeks, bookedShare] = [8, 0.9]

/**
 * Returns the bookings of a space as a column that is known in advance, for as many whole weeks ahead as have about as
 * many bookings as usual: when the bookings of past days were made is not known, so that a week with a part of them
 * would be taken for a quiet one.
 *
 * @param bookings by day from `since` on, days to come included
 * @param length days of the history
 */
export function bookingCovariate(
  bookings: readonly number[],
  { since, length, horizon }: { since: string; length: number; horizon: number },
): Covariate | undefined {
  const sumFrom = (start: number) => bookings.slice(start, start + 7).reduce((sum, booked) => sum + booked, 0)
  const past = Array.from({ length: usualWeeks }, (_, week) => length - 7 * (week + 1)).filter((start) => start >= 0)
  const usual = past.map(sumFrom).sort((a, b) => a - b)[Math.floor(past.length / 2)] ?? 0
  if (usual === 0) return undefined
  let weeks = 0
  while (7 * weeks < horizon && sumFrom(length + 7 * weeks) >= bookedShare * usual) weeks++
  if (weeks === 0) return undefined
  const daysAhead = Math.min(horizon, 7 * weeks)
  return { since, values: bookings.slice(0, length + horizon), daysAhead }
}
