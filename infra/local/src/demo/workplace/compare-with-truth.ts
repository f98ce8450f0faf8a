import { type CompanyTruth, recordedOf, recordedTeamOf } from '@wp/testkit/company'
import { DemoError } from '../../demo-error.ts'
import type { Figures } from './read-figures.ts'

/**
 * Compares every figure of days that is shown with the truth about the company, and the no-shows and the broken reader.
 * @returns a line that says how many figures were compared
 * @throws DemoError naming the first figure that differs
 */
export function compareWithTruth(truth: CompanyTruth, { buildings, teams, sites, gaps }: Figures): string[] {
  let compared = 0
  const compare = (what: string, shown: unknown, expected: unknown) => {
    if (shown !== expected) throw new DemoError(`${what} is ${shown}, but the truth is ${expected}`)
    compared += 1
  }
  for (const { externalId, name, days } of buildings.flatMap((building) => [building, ...building.floors]))
    for (const { start = '', attendance, peak, suppressed } of days) {
      if (attendance === null) continue
      const expected = recordedOf(truth, externalId, start)
      compare(`the attendance of ${name} (${externalId}) on ${start}`, attendance, expected.attendance)
      // Withheld hours are left out of peaks; outside the opening hours the truth has none.
      if (!suppressed && expected.peak !== null)
        compare(`the peak of ${name} (${externalId}) on ${start}`, peak, expected.peak)
    }
  for (const { externalId, name, days } of teams)
    for (const { start = '', attendance } of days)
      if (attendance !== null)
        compare(
          `the attendance of ${name} on ${start}`,
          attendance,
          recordedTeamOf(truth, externalId, start).attendance,
        )
  const daily = compared
  const rows = sites.flatMap(({ noShows }) => noShows)
  const hasAll = rows.every(({ suppressed }) => !suppressed)
  if (hasAll) {
    compare('the number of bookings', sumOf(rows.map(({ booked }) => booked)), truth.noShows.booked)
    compare('the number of no-shows', sumOf(rows.map(({ no_shows: count }) => count)), truth.noShows.noShows)
  }
  const { brokenReader } = truth
  if (brokenReader !== undefined) {
    const gap = gaps
      .filter(({ value }) => truth.spaceMap.badges[value] === brokenReader.space_id)
      .find(({ since, until }) => since < brokenReader.until && until > brokenReader.from)
    compare('the first silent day of the broken reader', gap?.since, brokenReader.from)
    const last = gap === undefined ? undefined : lastWorkdayBefore(gap.until)
    compare('the last silent day of the broken reader', last, lastWorkdayBefore(brokenReader.until))
  }
  const others = [...(hasAll ? ['the no-shows'] : []), ...(brokenReader === undefined ? [] : ['the broken reader'])]
  return [
    `Compared with the truth about the company: ${daily.toLocaleString('en')} daily figures of buildings, floors and`,
    `teams${others.length === 0 ? '' : `, ${others.join(' and ')}`} are equal to it.`,
  ]
}

const dayMs = 86_400_000

/** No one comes at weekends, so that silence on them cannot be told. */
function lastWorkdayBefore(date: string): string {
  let day = Date.parse(`${date}T00:00:00Z`) - dayMs
  while ([0, 6].includes(new Date(day).getUTCDay())) day -= dayMs
  return new Date(day).toISOString().slice(0, 10)
}

export const sumOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
