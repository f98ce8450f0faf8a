import { ForecastInputError, type Holiday, holidaysOf } from '../../forecast/index.ts'
import { effectiveValues } from '../../workplace/inherit.ts'
import { dateOf, dayOf } from '../../workplace/local-days.ts'
import type { AskedWorkplace, ScopeNode } from './scope.ts'

/** The holidays of each space or team, and warnings about countries without any that are known. */
export interface WorkplaceHolidays {
  of: Map<string, Holiday[]>
  warnings: string[]
}

/**
 * Returns the public holidays at the place of each space or team. One without a country has those of all in it.
 *
 * @param nodes parents before their children
 * @param days the first day of the history and the last one of the forecast
 */
export async function findHolidays(
  nodes: readonly Pick<ScopeNode, 'id' | 'parentId' | 'place'>[],
  { add = [], remove = [] }: Partial<NonNullable<AskedWorkplace['holidays']>>,
  { first, last }: { first: string; last: string },
): Promise<WorkplaceHolidays> {
  const byPlace = new Map<string, Holiday[]>()
  const warnings: string[] = []
  // A bridge day or the end of a year depends on the holidays next to it.
  const range = { since: dateOf(dayOf(first) - marginDays), until: dateOf(dayOf(last) + marginDays) }
  const added = add.filter((date) => !remove.includes(date)).map((date) => ({ date, name: addedName }))

  async function lookUp(country: string, subdivision: string | null): Promise<Holiday[]> {
    try {
      const part = subdivision === null ? {} : { subdivision }
      return await holidaysOf({ country, ...part, ...range, add: added, remove })
    } catch (error) {
      if (!(error instanceof ForecastInputError)) throw error
      warnings.push(error.message)
      return subdivision === null ? added : lookUp(country, null)
    }
  }

  const of = new Map<string, Holiday[]>()
  for (const { id, parentId, place } of nodes.toReversed()) {
    const { country, subdivision } = effectiveValues(place)
    const key = `${country}-${subdivision}`
    if (country !== null) {
      const known = byPlace.get(key) ?? (await lookUp(country, subdivision))
      byPlace.set(key, known)
      of.set(id, known)
    }
    const own = of.get(id) ?? added
    of.set(id, own)
    if (parentId === null) continue
    of.set(parentId, withoutRepeats([...(of.get(parentId) ?? []), ...own]))
  }
  return { of, warnings }
}

const marginDays = 10
const addedName = 'added'

const withoutRepeats = (holidays: readonly Holiday[]): Holiday[] => [
  ...new Map(holidays.map((holiday) => [`${holiday.date} ${holiday.name}`, holiday])).values(),
]
