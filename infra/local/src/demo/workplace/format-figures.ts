import { sumOf } from './compare-with-truth.ts'
import type { Figures, Subject, UtilizationRow } from './read-figures.ts'

const dayNames: Record<string, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

const isWorkday = ({ weekday }: UtilizationRow) => weekday !== 'sat' && weekday !== 'sun'

/** Formats a number without digits that say nothing: 12,300, 44, but 2.3. */
const number = (value: number): string =>
  value.toLocaleString(
    'en',
    Math.abs(value) >= 1000
      ? { maximumSignificantDigits: 3 }
      : { maximumFractionDigits: Math.abs(value) >= 10 ? 0 : 1 },
  )

const percent = (share: number): string => `${Math.round(share * 100)} %`

const mean = (values: readonly (number | null)[]): number => {
  const known = values.flatMap((value) => value ?? [])
  return known.length === 0 ? 0 : sumOf(known) / known.length
}

const attendanceOf = ({ weekdays }: Subject) => mean(weekdays.filter(isWorkday).map(({ attendance }) => attendance))
const peakOf = ({ days }: Subject) => Math.max(0, ...days.map(({ peak }) => peak ?? 0))

/** Share of the days from Monday to Friday from which a mean says something: withheld days are not in it. */
const leastShown = 0.25

/** Counts the days from Monday to Friday, and those of them that are shown. */
function countWorkdays({ days }: Subject): { all: number; shown: number } {
  const workdays = days.filter(({ start = '' }) => ![0, 6].includes(new Date(`${start}T00:00:00Z`).getUTCDay()))
  return { all: workdays.length, shown: workdays.filter(({ attendance }) => attendance !== null).length }
}

function isShown(subject: Subject): boolean {
  const { all, shown } = countWorkdays(subject)
  return all > 0 && shown >= leastShown * all
}

const formatShown = (subject: Subject): string => {
  const { all, shown } = countWorkdays(subject)
  return `${shown} of ${all}`
}

/** Returns the row with the highest value. */
function highest<Row>(rows: readonly Row[], of: (row: Row) => number | null): Row | undefined {
  return rows.toSorted((a, b) => (of(b) ?? -1) - (of(a) ?? -1))[0]
}

/** Formats rows as columns; the first is text, the others are right-aligned. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('   '),
  )
}

export function formatBuildings({ buildings }: Figures): string[] {
  const rows = buildings.map((building) => {
    const workdays = building.weekdays.filter(isWorkday)
    const at = (row: UtilizationRow | undefined) =>
      row === undefined ? '' : `${dayNames[row.weekday ?? '']} ${number(row.attendance ?? 0)}`
    const [people, peak] = [attendanceOf(building), peakOf(building)]
    return [
      ...[building.name, number(building.capacity)],
      ...[number(people), percent(people / building.capacity), number(peak), percent(peak / building.capacity)],
      at(highest(workdays, ({ attendance }) => attendance)),
      at(highest(workdays, ({ attendance }) => -(attendance ?? Number.MAX_VALUE))),
      formatShown(building),
    ]
  })
  const head = [
    'building',
    'places',
    'people a day',
    'of places',
    'most at once',
    'of places',
    'busiest',
    'quietest',
    'days shown',
  ]
  return [
    ...table([head, ...rows]),
    'People a day: different people, the mean of the days from Monday to Friday that are shown; others are withheld, see below.',
  ]
}

export function formatQuietestFloors({ buildings }: Figures): string[] {
  const floors = buildings.flatMap((building) => building.floors.map((floor) => ({ building, floor })))
  const share = ({ floor }: (typeof floors)[number]) => attendanceOf(floor) / Math.max(1, floor.capacity)
  const nameOf = ({ building, floor }: (typeof floors)[number]) => `${building.name}, ${floor.name}`
  const shown = floors.filter(({ floor }) => isShown(floor)).toSorted((a, b) => share(a) - share(b))
  return [
    ...floors.filter(({ floor }) => !isShown(floor)).map((one) => `${nameOf(one)}: most days are withheld, see below`),
    ...shown.slice(0, 3).map((one) => {
      const { floor } = one
      const people = `${number(attendanceOf(floor))} people a day on ${floor.capacity} places (${percent(share(one))})`
      return `${nameOf(one)}: ${people}, at most ${number(peakOf(floor))} at once; days shown: ${formatShown(floor)}`
    }),
  ]
}

/** Formats the teams that share desks most and least, and one between. */
export function formatTeams({ teams }: Figures): string[] {
  const rows = teams
    .flatMap((team) => {
      const workdays = team.weekdays.filter(isWorkday)
      const busiest = highest(workdays, ({ sharing_ratio: ratio }) => -(ratio ?? Number.MAX_VALUE))
      const ratio = busiest?.sharing_ratio ?? null
      return isShown(team) && ratio !== null && busiest !== undefined ? [{ team, workdays, busiest, ratio }] : []
    })
    .sort((a, b) => b.ratio - a.ratio)
  const chosen = [...new Set([rows[0], rows[Math.floor(rows.length / 2)], rows.at(-1)])]
  if (rows.length === 0) return ['All teams are too small to be shown.']
  const cells = chosen.flatMap((row) => {
    if (row === undefined) return []
    const { team, workdays, busiest, ratio } = row
    const headcount = mean(workdays.map((day) => day.headcount))
    const met = mean(workdays.map(({ co_attendance: share }) => share))
    const desks = Math.ceil((busiest.headcount ?? headcount) / ratio - 0.001)
    const day = dayNames[busiest.weekday ?? ''] ?? ''
    return [
      [team.name, number(headcount), number(attendanceOf(team)), `${desks} (${day})`, ratio.toFixed(1), percent(met)],
    ]
  })
  return [
    ...table([['team', 'members', 'in on a day', 'desks needed', 'members a desk', 'meet'], ...cells]),
    'Desks needed: enough on nine of ten of the busiest weekday. Meet: the share of the team that a member who comes meets.',
  ]
}

export function formatNoShows({ sites }: Figures): string[] {
  const rows = sites.flatMap(({ noShows }) => noShows)
  const total = (of: readonly (typeof rows)[number][]) => ({
    booked: sumOf(of.map(({ booked }) => booked)),
    missed: sumOf(of.map(({ no_shows: count }) => count)),
    hours: sumOf(of.map(({ hours_lost: hours }) => hours)),
  })
  const shareOf = ({ booked, missed }: ReturnType<typeof total>) => (booked === 0 ? 0 : missed / booked)
  const all = total(rows)
  const byDay = Object.entries(Object.groupBy(rows, ({ weekday }) => weekday)).map(([day, own = []]) => ({
    day,
    share: shareOf(total(own)),
  }))
  const worst = highest(byDay, ({ share }) => share)
  return [
    `${percent(shareOf(all))} of ${number(all.booked)} bookings of rooms and desks were not used: ${number(all.hours)} hours in which others could have had them.`,
    ...(rows.some(({ suppressed }) => suppressed) ? ['Weekdays of a month with few bookings are left out.'] : []),
    `By site: ${sites.map(({ name, noShows }) => `${name} ${percent(shareOf(total(noShows)))}`).join(', ')}. Worst on ${dayNames[worst?.day ?? '']}s: ${percent(worst?.share ?? 0)}.`,
  ]
}

/** Formats the readers that were silent, those for the longest time first. */
export function formatGaps({ gaps }: Figures): string[] {
  const [longest, ...others] = gaps.toSorted((a, b) => b.expected_rows - a.expected_rows)
  if (longest === undefined) return ['Every reader had data on every day.']
  const { value, space, since, until, expected_rows: rows } = longest
  return [
    `Reader "${value}" (${space}) recorded nothing from ${date(since)} to ${date(dayBefore(until))}; about ${number(rows)} badge`,
    'events are missing. The figures of its floor, building and site are too low on these days.',
    ...(others.length === 0
      ? []
      : [
          `${others.length} shorter gaps, such as ${others[0]?.value} on ${date(others[0]?.since ?? '')}: often public holidays of one site.`,
        ]),
  ]
}

const date = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })

const dayBefore = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)

export function formatPrivacy({ buildings, teams, threshold }: Figures): string[] {
  const floors = buildings.flatMap((building) => building.floors)
  const count = (subjects: readonly Subject[]) => {
    const rows = subjects.flatMap(({ days }) => days)
    return {
      all: rows.length,
      withheld: rows.filter(({ attendance, suppressed }) => suppressed && attendance === null).length,
    }
  }
  const [ofFloors, ofTeams] = [count(floors), count(teams)]
  const most = highest(teams, (team) => count([team]).withheld)
  return [
    `${ofFloors.withheld.toLocaleString('en')} of ${ofFloors.all.toLocaleString('en')} daily figures of floors, and ${ofTeams.withheld.toLocaleString('en')} of ${ofTeams.all.toLocaleString('en')} of teams: those that could tell about fewer than ${threshold} people,`,
    'and others beside them, so that no one can work out a withheld figure from those that are shown.',
    ...(most === undefined || count([most]).withheld === 0
      ? []
      : [`Most are of ${most.name}: ${count([most]).withheld} of its ${most.days.length} days.`]),
  ]
}
