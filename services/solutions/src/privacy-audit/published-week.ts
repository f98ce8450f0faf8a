import type { Query } from '@wp/database'
import type { PublishedLattice, PublishedSheet } from '../privacy/published-lattice.ts'
import { findSpaceNodes } from '../store/spaces.ts'
import { findTeamNodes } from '../store/teams.ts'
import { findSpaceDays, findTeamDays, findWeekAttendance, type SpaceDayRow } from '../store/utilization.ts'
import { shownSpaceDay, shownTeamDay, shownWeek } from '../utilization/shown-day.ts'
import { dateOf, dayOf } from '../workplace/local-days.ts'
import { buildTree } from '../workplace/tree.ts'
import { type PublishedDay, publishedDay } from './published-levels.ts'

/** All that answers tell about the people of a week. */
export interface PublishedWeek {
  lattice: PublishedLattice
  /** Averages and peaks; empty without hours. */
  levels: PublishedDay[]
  /** The time of each sheet: the week, a day, or an hour such as `2026-03-02T09`. */
  times: string[]
  /** The ids and names of the spaces and teams in the order of the forests. */
  ids: { space: string[]; team: string[] }
  names: { space: string[]; team: string[] }
}

interface Scope {
  workspaceId: string
  threshold: number
  /** Includes hours. Their program is larger by far. */
  withHours: boolean
}

/** Reads the stored figures of a week as answers show them. @param monday such as `2026-03-02` */
export async function readPublishedWeek(
  query: Query,
  { workspaceId, threshold, withHours }: Scope,
  monday: string,
): Promise<PublishedWeek> {
  const spaces = buildTree(await findSpaceNodes(query, workspaceId))
  const teams = buildTree(await findTeamNodes(query, workspaceId))
  const [spaceIds, teamIds] = [spaces, teams].map(({ nodes }) => nodes.map(({ id }) => id)) as [string[], string[]]
  const week = { since: monday, until: dateOf(dayOf(monday) + 7) }
  const spaceDays = await findSpaceDays(query, workspaceId, spaceIds, week)
  const teamDays = await findTeamDays(query, workspaceId, teamIds, week)
  const weekRows = await findWeekAttendance(query, workspaceId, [...spaceIds, ...teamIds], week)

  const ofWeek = (ids: readonly string[]) => {
    const rows = new Map(weekRows.map((row) => [row.subject, shownWeek(row, threshold)]))
    const isWithheld = (id: string) => rows.get(id)?.isSuppressed
    return cells(ids, rows, ({ attendance }) => attendance, isWithheld)
  }
  const sheets: PublishedSheet[] = [sheetOf(ofWeek(spaceIds), -1, ofWeek(teamIds))]
  const times = [`the week of ${monday}`]
  const days = [...new Set([...spaceDays, ...teamDays].map(({ day }) => day))].sort()
  for (const day of days) {
    const ofSpaces = new Map(spaceDays.filter((row) => row.day === day).map((row) => [row.spaceId, row]))
    const ofTeams = new Map(teamDays.filter((row) => row.day === day).map((row) => [row.teamId, row]))
    const shown = new Map([...ofSpaces].map(([id, row]) => [id, shownSpaceDay(row, threshold)]))
    const daySheet = sheetOf(
      cells(
        spaceIds,
        ofSpaces,
        ({ attendance }) => attendance,
        (id) => shown.get(id)?.isSuppressed,
      ),
      0,
      cells(
        teamIds,
        ofTeams,
        ({ attendance }) => attendance,
        (id) => {
          const row = ofTeams.get(id)
          return row && shownTeamDay(row, threshold).isSuppressed
        },
      ),
    )
    times.push(day)
    const at = sheets.push(daySheet) - 1
    const hasHours = [...ofSpaces.values()].some(({ hourlyAttendance }) => hourlyAttendance.some((count) => count > 0))
    if (!withHours || !hasHours) continue
    for (let hour = 0; hour < 24; hour++) {
      const ofHour = cells(
        spaceIds,
        ofSpaces,
        ({ hourlyAttendance }) => hourlyAttendance[hour] ?? 0,
        (id) => isHourWithheld(ofSpaces.get(id), hour, threshold),
      )
      if (!ofHour.counts.some((count) => count > 0)) continue
      times.push(`${day}T${String(hour).padStart(2, '0')}`)
      sheets.push(sheetOf(ofHour, at))
    }
  }

  const levels = (withHours ? days : []).map((day) =>
    publishedDay(
      spaces,
      spaceDays.filter((row) => row.day === day),
      { day, threshold },
    ),
  )
  const headcounts = new Map<string, number>()
  for (const { teamId, headcount } of teamDays)
    if (headcount !== null) headcounts.set(teamId, Math.max(headcount, headcounts.get(teamId) ?? 0))
  return {
    lattice: {
      spaces: { parents: spaces.parents },
      teams: { parents: teams.parents, headcounts: teamIds.map((id) => headcounts.get(id) ?? null) },
      sheets,
    },
    levels,
    times,
    ids: { space: spaceIds, team: teamIds },
    names: { space: spaces.nodes.map(({ name }) => name), team: teams.nodes.map(({ name }) => name) },
  }
}

type Cells = PublishedSheet['spaces'] & { counts: number[] }

const cells = <Row>(
  ids: readonly string[],
  rows: ReadonlyMap<string, Row>,
  countOf: (row: Row) => number | null,
  isWithheld: (id: string) => boolean | undefined,
): Cells => ({
  counts: ids.map((id) => {
    const row = rows.get(id)
    return row === undefined ? 0 : (countOf(row) ?? 0)
  }),
  suppressed: ids.map((id) => Number(isWithheld(id) ?? false)),
})

/** Hours of a day that is withheld are in no answer, but the day is protected even if they were. */
function isHourWithheld(day: SpaceDayRow | undefined, hour: number, threshold: number): boolean {
  const count = day?.hourlyAttendance[hour] ?? 0
  if (day === undefined || count === 0) return false
  return (day.suppressedHours & (1 << hour)) !== 0 || count < threshold
}

/** No answer tells the number of all people. */
const sheetOf = (
  spaces: PublishedSheet['spaces'],
  within: number,
  teams?: PublishedSheet['spaces'],
): PublishedSheet => ({
  total: null,
  isTotalSuppressed: true,
  spaces,
  within,
  ...(teams === undefined ? {} : { teams }),
})
