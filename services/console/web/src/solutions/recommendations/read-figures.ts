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
  ['peak_forecast', 'Forecast', 'forecast'],
  ['peak_upper', 'Upper bound', 'upper'],
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
  consolidation: 'Consolidation',
  underused_weekday: 'Underused weekday',
  capacity_alert: 'Capacity alert',
  service_level: 'Service level',
}

/** Returns the name of a kind for people; an unknown one is shown as it is. */
export const kindName = (kind: string): string => kindNames[kind] ?? kind.replaceAll('_', ' ')
