import type { Query } from '@wp/database'
import { auditLattice, loadSolver } from '../../src/privacy/index.ts'
import { auditDay } from '../../src/privacy-audit/published-levels.ts'
import { readPublishedWeek } from '../../src/privacy-audit/published-week.ts'
import { dateOf, dayOf, mondayOf, weekdayOf } from '../../src/workplace/local-days.ts'
import type { LoadedCompany } from '../fixture/company.ts'
import type { Harness } from '../fixture/harness.ts'
import { randomFrom } from '../privacy/random-lattice.ts'

const workplace = '/v1/solutions/workplace'

interface Row {
  space_id?: string
  team_id?: string
  start?: string
  weekday?: string
  attendance: number | null
  average: number | null
  peak: number | null
  attendance_source: string | null
  days?: number
  days_shown?: number
  suppressed: boolean
}

/** Knowledge of an attacker with permission to read figures. */
export interface Learnt {
  /** Counts of people by space or team and hour, day or week; null where they are withheld. */
  cells: Map<string, number | null>
  /** Averages by space and hour. */
  levels: Map<string, number | null>
  /** Contradictions between answers, and figures that are not made of shown counts. */
  leaks: string[]
  queries: number
}

/** Asks for figures of spaces and teams in random ways, between two days. */
export async function attack(
  harness: Harness,
  company: LoadedCompany,
  { queries, since, until }: { queries: number; since: string; until: string },
): Promise<Learnt> {
  const random = randomFrom(11)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const learnt: Learnt = { cells: new Map(), levels: new Map(), leaks: [], queries }
  const subjects = [
    ...[...company.spaceIds.values()].map((id) => ({
      id,
      name: 'space_id',
      intervals: ['hour', 'day', 'week', 'weekday'],
    })),
    ...[...company.teamIds.values()].map((id) => ({ id, name: 'team_id', intervals: ['day', 'week', 'weekday'] })),
  ]
  const means: { row: Row; range: { since: string; until: string } }[] = []
  for (let at = 0; at < queries; at++) {
    const { id, name, intervals } = pick(subjects)
    const interval = pick(intervals)
    const first = dayOf(since) + Math.floor(random() * (dayOf(until) - dayOf(since)))
    const last = first + 1 + Math.floor(random() * (dayOf(until) - first))
    const range = { since: dateOf(first), until: dateOf(last) }
    const query = `${name}=${id}&interval=${interval}&children=${random() < 0.5}&since=${range.since}&until=${range.until}`
    const rows = await ask(harness, query)
    for (const row of rows)
      if (interval === 'weekday') means.push({ row, range })
      else learn(learnt, row, interval)
  }
  for (const { row, range } of means) checkMean(learnt, row, range)
  return learnt
}

async function ask(harness: Harness, query: string): Promise<Row[]> {
  const answer = await harness.call('GET', `${workplace}/utilization?${query}`)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}

const subjectOf = (row: Row): string => row.space_id ?? row.team_id ?? ''

function learn({ cells, levels, leaks }: Learnt, row: Row, interval: string): void {
  const key = `${subjectOf(row)} ${interval} ${row.start}`
  const known = cells.get(key)
  if (known !== undefined && known !== row.attendance) leaks.push(`${key} is ${known} and ${row.attendance}`)
  if (interval === 'hour') {
    levels.set(key, row.average)
    if ((row.average === null) !== (row.peak === null)) leaks.push(`${key} has one of average and peak`)
    if (row.attendance_source === 'badge_events' && row.attendance === null && row.average !== null)
      leaks.push(`${key} has levels of people who are withheld`)
  }
  if (row.attendance !== null && row.attendance > 0 && row.attendance < 5) leaks.push(`${key} is ${row.attendance}`)
  cells.set(key, row.attendance)
}

/** The mean of a weekday times its days is a sum: it must be that of the shown days, of which no other is a part. */
function checkMean({ cells, leaks }: Learnt, row: Row, { since, until }: { since: string; until: string }): void {
  if (row.attendance === null) return
  const days: (number | null | undefined)[] = []
  for (let day = dayOf(since); day < dayOf(until); day++)
    if (weekdayOf(day) === row.weekday) days.push(cells.get(`${subjectOf(row)} day ${dateOf(day)}`))
  if (days.includes(undefined)) return
  const shown = days.filter((count) => typeof count === 'number')
  const mean = shown.reduce((sum, count) => sum + count, 0) / shown.length
  if (shown.length !== row.days_shown || Math.abs(mean - row.attendance) > 0.001)
    leaks.push(`${subjectOf(row)} on ${row.weekday} from ${since} to ${until} is ${row.attendance}, not ${mean}`)
}

/** Compares what was learnt with what is audited, and audits it with its hours. @returns what is told, in words */
export async function auditLearnt(query: Query, workspaceId: string, { cells, levels }: Learnt): Promise<string[]> {
  const weeks = new Set([...cells.keys()].map((key) => mondayOf(key.split(' ')[2]?.slice(0, 10) ?? '')))
  const highs = await loadSolver()
  const findings: string[] = []
  for (const week of weeks) {
    const published = await readPublishedWeek(query, { workspaceId, threshold: 5, withHours: true }, week)
    const { lattice, times, ids } = published
    for (const day of published.levels) {
      findings.push(...auditDay(highs, day, 5))
      for (const [hour, { minutes, suppressed }] of day.sheets.entries())
        for (const [place, id] of day.ids.entries()) {
          const seen = levels.get(`${id} hour ${day.day}T${String(hour).padStart(2, '0')}:00`)
          if (
            typeof seen === 'number' &&
            (suppressed[place] === 1 || Math.abs(seen * 60 - (minutes[place] ?? 0)) > 0.01)
          )
            findings.push(
              `${id} ${day.day} ${hour}: ${seen} was told, ${suppressed[place]} ${minutes[place]} is audited`,
            )
        }
    }
    for (const [at, sheet] of lattice.sheets.entries()) {
      const time = times[at] ?? ''
      const key = at === 0 ? `week ${week}` : time.length > 10 ? `hour ${time}:00` : `day ${time}`
      for (const kind of ['space', 'team'] as const) {
        const { counts, suppressed } = (kind === 'space' ? sheet.spaces : sheet.teams) ?? { counts: [], suppressed: [] }
        for (const [index, id] of ids[kind].entries()) {
          const seen = cells.get(`${id} ${key}`)
          if (typeof seen === 'number' && (suppressed[index] === 1 || seen !== counts[index]))
            findings.push(
              `${id} ${key}: ${seen} was told, ${suppressed[index] === 1 ? 'withheld' : counts[index]} is audited`,
            )
        }
      }
    }
    for (const { cell, low, high } of auditLattice(highs, lattice, { threshold: 5 }))
      findings.push(`${cell.of} ${cell.index}, ${times[cell.sheet]}: ${low} to ${high}`)
  }
  return findings
}
