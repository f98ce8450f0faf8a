import type { Client } from '@wp/client/browser'

export type Recommendation = Awaited<ReturnType<Client['solutions']['listRecommendations']>>['items'][number]

/** A value of the small chart of a recommendation. */
export interface Figure {
  label: string
  value: number
  /** Form of the drawing. */
  kind: 'past' | 'forecast' | 'upper' | 'limit'
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const named: readonly (readonly [name: string, label: string, kind: Figure['kind']])[] = [
  ['peak_before', 'Usual', 'past'],
  ['peak_forecast', 'Expected', 'forecast'],
  ['peak_upper', 'At most', 'upper'],
  ['peak_usual', 'Usual peak', 'limit'],
  ['capacity', 'Capacity', 'limit'],
]

/** Returns the values that a recommendation compares: expected attendance by weekday, or forecast and capacity. */
export function readFigures({ kind, figures }: Pick<Recommendation, 'kind' | 'figures'>): Figure[] {
  const numberOf = (name: string) => (typeof figures[name] === 'number' ? figures[name] : undefined)
  if (kind === 'service_level')
    return weekdays.flatMap((day) => {
      const value = numberOf(`attendance_${day}`)
      return value === undefined ? [] : [{ label: capitalize(day), value, kind: 'forecast' as const }]
    })
  return named.flatMap(([name, label, figureKind]) => {
    const value = numberOf(name)
    return value === undefined ? [] : [{ label, value, kind: figureKind }]
  })
}

const kindNames: Readonly<Record<string, string>> = {
  consolidation: 'Space to close',
  underused_weekday: 'Quiet weekday',
  capacity_alert: 'May be full',
  service_level: 'Less service',
}

/** Returns the name of a kind for people; an unknown one is shown as it is. */
export const kindName = (kind: string): string => kindNames[kind] ?? kind.replaceAll('_', ' ')

const halfDayMs = 43_200_000

/**
 * Describes the days of a window: `27 Nov to 4 Dec`. The window begins and ends at midnight in the time zone of its
 * run, which a recommendation does not state; noon of its first and last day is on the same date in UTC for zones up to
 * 12 hours away.
 */
export function describeWindow(
  { from, until }: { from: string; until: string },
  formatDay: (time: number) => string,
): string {
  const [first, last] = [Date.parse(from) + halfDayMs, Date.parse(until) - halfDayMs].map(formatDay)
  return first === last ? `${first}` : `${first} to ${last}`
}

/** Orders the largest saving first; those without one stay in their order, after the others. */
export const bySaving = ({ saving: left }: Recommendation, { saving: right }: Recommendation): number =>
  (right?.amount ?? -1) - (left?.amount ?? -1)
