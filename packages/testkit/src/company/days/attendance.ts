import { dateOf, seasonOf, weekdayOf } from '../model/calendar.ts'
import type { Company } from '../model/company.ts'
import { Random, streams } from '../random.ts'

/** The share of people who come although it is a weekend or a public holiday, relative to the rate of their team. */
const offDay = 0.006
/** More people come by this share each year. */
const yearlyGrowth = 0.08

/**
 * Returns the expected share of the members of each team who come on a day: the rate of the team, its weekdays, the
 * season and the public holidays of its site, the growth, and a chance of the day for the site and for the team.
 */
export function expectAttendance(company: Company, day: number): Float64Array {
  const { teams, spaces, holidays, options } = company
  const random = new Random(options.seed, streams.teams, day)
  const date = dateOf(company, day)
  const weekday = weekdayOf(company, day)
  const growth = 1 + (yearlyGrowth * day) / 365
  const siteChances = new Map<number, number>()
  return Float64Array.from(teams, ({ home, rate, weekdays }) => {
    if (home < 0) return 0
    const root = siteOf(company, home)
    const site = spaces[root]?.site
    const chance = siteChances.get(root) ?? 0.96 + random.below(81) / 1_000
    siteChances.set(root, chance)
    const own = 0.93 + random.below(141) / 1_000
    if (weekday > 4 || holidays[home]?.has(day) || site === undefined) return rate * offDay
    return rate * (weekdays[weekday] ?? 0) * seasonOf(site, date) * growth * chance * own
  })
}

function siteOf({ spaces }: Company, space: number): number {
  let root = space
  for (let parent = spaces[root]?.parent ?? -1; parent >= 0; parent = spaces[root]?.parent ?? -1) root = parent
  return root
}
