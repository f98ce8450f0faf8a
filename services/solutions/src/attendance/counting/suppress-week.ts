import type { Highs } from 'highs'
import { createLattice, type SheetCounts } from '../../privacy/lattice.ts'
import { latticeShape } from '../../privacy/lattice-shape.ts'
import type { PrivacyRule } from '../../privacy/sensitive-cells.ts'
import { suppress, suppressAudited } from '../../privacy/suppress.ts'
import { suppressLevels } from '../../privacy/suppress-levels.ts'
import { type DayOfWeek, hasHours, type SpaceFigures } from './count-day.ts'
import { hoursPerDay } from './figures.ts'
import { outermost } from './measure-people.ts'
import type { WeekContext } from './measures.ts'

/** The withheld figures of a week, by index of the day and position of the space or team. */
export interface SuppressedWeek {
  spaces(day: number, position: number): boolean
  teams(day: number, position: number): boolean
  /** Returns the bits of the hours in which the people of a space are withheld. */
  hours(day: number, position: number): number
  /** Returns the bits of the hours in which the levels of a space are withheld. */
  levels(day: number, position: number): number
  weekSpaces(position: number): boolean
  weekTeams(position: number): boolean
}

const allHours = 0xff_ffff

/**
 * Decides which figures of a week are withheld, so that no other figure of the week tells them.
 * @param solver audits the decision; without it, bounds across hours, days and weeks may be narrower than the threshold
 */
export function suppressWeek(
  { spaces, teams }: Pick<WeekContext, 'spaces' | 'teams'>,
  days: readonly DayOfWeek[],
  week: { spaces: readonly number[]; teams: readonly number[]; total: number },
  rule: PrivacyRule,
  solver?: Highs,
): SuppressedWeek {
  const headcounts = teams.nodes.map((_, team) => largestHeadcount(days, team))
  const forests = { spaces: { parents: spaces.parents }, teams: { parents: teams.parents, headcounts } }
  const shape = latticeShape(forests.spaces, forests.teams)
  const sheets: SheetCounts[] = [{ ...week, within: -1 }]
  const daySheets = days.map((day) => {
    sheets.push({
      total: day.people.size,
      spaces: day.spaces.map(({ attendance }) => attendance ?? 0),
      teams: day.teams.map(({ attendance }) => attendance ?? 0),
      within: 0,
    })
    return sheets.length - 1
  })
  const sites = Array.from(spaces.parents, (_, space) => outermost(spaces.parents, space))
  const listed = days.map(({ listedSites }) => Uint8Array.from(sites, (site) => Number(listedSites.has(site))))
  const isListed = (day: number, space: number) => listed[day]?.[space] === 1
  const hourSheets = days.map((day, at) => {
    const addSheet = (counts: number[]) => {
      if (!counts.some((count) => count > 0)) return -1
      sheets.push({ total: totalOf(day, counts, spaces.parents), spaces: counts, within: daySheets[at] ?? 0 })
      return sheets.length - 1
    }
    const found = Array.from({ length: hoursPerDay }, (_, hour) =>
      addSheet(
        day.spaces.map((space, position) =>
          hasHours(space) && !isListed(at, position) ? (space.hourlyAttendance[hour] ?? 0) : 0,
        ),
      ),
    )
    // People of lists have no hour: those of their sites are as of one more, so that the sheets add up to the day.
    if (found.some((sheet) => sheet >= 0))
      addSheet(day.spaces.map(({ attendance }, position) => (isListed(at, position) ? (attendance ?? 0) : 0)))
    return found
  })
  const lattice = createLattice(shape, sheets)
  if (solver === undefined) suppress(lattice, rule)
  else suppressAudited(solver, lattice, forests, rule)
  const isHidden = (sheet: number, node: number | undefined) =>
    lattice.hidden[sheet * shape.nodeCount + (node ?? -1)] === 1
  const isDayHidden = (day: number, position: number) =>
    days[day]?.spaces[position]?.attendance != null && isHidden(daySheets[day] ?? 0, shape.spaceNodes[position])
  const hiddenHours = days.map(({ spaces }, day) =>
    spaces.map((space, position) => {
      const hours = hourSheets[day] ?? []
      if (!hasHours(space)) return 0
      if (isListed(day, position)) return allHours
      return bitsOf((hour) => (hours[hour] ?? -1) >= 0 && isHidden(hours[hour] ?? 0, shape.spaceNodes[position]))
    }),
  )
  const hiddenLevels = days.map((day, at) => {
    const hiddenPeople = (hiddenHours[at] ?? []).map((bits, position) => (isDayHidden(at, position) ? allHours : bits))
    return suppressDayLevels(day, spaces.parents, hiddenPeople, rule)
  })
  return {
    spaces: isDayHidden,
    teams: (day, position) =>
      days[day]?.teams[position]?.attendance != null && isHidden(daySheets[day] ?? 0, shape.teamNodes[position]),
    hours: (day, position) => hiddenHours[day]?.[position] ?? 0,
    levels: (day, position) => hiddenLevels[day]?.[position] ?? 0,
    weekSpaces: (position) => isHidden(0, shape.spaceNodes[position]),
    weekTeams: (position) => isHidden(0, shape.teamNodes[position]),
  }
}

function bitsOf(isSet: (hour: number) => boolean): number {
  let bits = 0
  for (let hour = 0; hour < hoursPerDay; hour++) if (isSet(hour)) bits |= 1 << hour
  return bits
}

function largestHeadcount(days: readonly DayOfWeek[], team: number): number | null {
  const known = days.flatMap(({ teams }) => teams[team]?.headcount ?? [])
  return known.length === 0 ? null : Math.max(...known)
}

/** The people of an hour at all sites: at most those of the day, at least those of the fullest site. */
function totalOf(day: DayOfWeek, counts: readonly number[], parents: Int32Array): number {
  const sum = counts.reduce((total, count, at) => total + ((parents[at] ?? -1) < 0 ? count : 0), 0)
  return Math.min(day.people.size, sum)
}

/**
 * Decides which levels of a day are withheld, whatever they are measured by: levels of counters and bookings about few
 * people, and all where the people of the space are withheld, on the day or in the hour.
 *
 * @param hiddenPeople the bits of the hours in which the people of a space are withheld, all of them if the day is
 * @returns the bits of the hours of each space
 */
function suppressDayLevels(
  { spaces }: Pick<DayOfWeek, 'spaces'>,
  parents: Int32Array,
  hiddenPeople: readonly number[],
  { threshold }: PrivacyRule,
): Int32Array {
  const measured = spaces.filter(({ hourlyAverage }) => hourlyAverage.length === hoursPerDay)
  const places = new Map(measured.map(({ space }, place) => [space, place]))
  const measuredParents = Int32Array.from(measured, ({ space }) => {
    let above = parents[space] ?? -1
    while (above >= 0 && !places.has(above)) above = parents[above] ?? -1
    return places.get(above) ?? -1
  })
  const bits = new Int32Array(spaces.length)
  for (let hour = 0; hour < hoursPerDay; hour++) {
    const hidden = Uint8Array.from(measured, ({ space }) => ((hiddenPeople[space] ?? 0) >>> hour) & 1)
    suppressLevels(
      {
        parents: measuredParents,
        hidden,
        minutes: Int32Array.from(measured, ({ hourlyAverage }) => Math.round((hourlyAverage[hour] ?? 0) * 60)),
        sensitive: Uint8Array.from(measured, (figures) => Number(isAboutFew(figures, hour, threshold))),
      },
      threshold,
    )
    for (const [place, { space }] of measured.entries())
      if (hidden[place] === 1) bits[space] = (bits[space] ?? 0) | (1 << hour)
  }
  return bits
}

/**
 * Counters and bookings do not tell people apart: of their levels, and of those that counters raised, the peak is the
 * least number of different people.
 */
function isAboutFew(figures: SpaceFigures, hour: number, threshold: number): boolean {
  const isOfPeople = figures.source === 'badge_events' && !figures.isRaised && hasHours(figures)
  const people = (isOfPeople ? figures.hourlyAttendance : figures.hourlyPeak)[hour] ?? 0
  return people > 0 && people < threshold
}
