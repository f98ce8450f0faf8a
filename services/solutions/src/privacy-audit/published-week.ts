import type { Query } from '@wp/database'
import type { PublishedLattice, PublishedSheet } from '../privacy/published-lattice.ts'
import { findSpaceNodes } from '../store/spaces.ts'
import { findTeamNodes } from '../store/teams.ts'
import {
  findSpaceDays,
  findTeamDays,
  findWeekAttendance,
  type SpaceDayRow,
  type TeamDayRow,
} from '../store/utilization.ts'
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
export async function readPublishedWeek(query: Query, scope: Scope, monday: string): Promise<PublishedWeek> {
  const { workspaceId, threshold, withHours } = scope
  const spaces = buildTree(await findSpaceNodes(query, workspaceId))
  const teams = buildTree(await findTeamNodes(query, workspaceId))
  const [spaceIds, teamIds] = [spaces, teams].map(({ nodes }) => nodes.map(({ id }) => id)) as [string[], string[]]
  const ids = { space: spaceIds, team: teamIds }
  const week = { since: monday, until: dateOf(dayOf(monday) + 7) }
  const spaceDays = await findSpaceDays(query, workspaceId, spaceIds, week)
  const teamDays = await findTeamDays(query, workspaceId, teamIds, week)
  const weekRows = await findWeekAttendance(query, workspaceId, [...spaceIds, ...teamIds], week)

  const ofWeek = (own: readonly string[]) => {
    const rows = new Map(weekRows.map((row) => [row.subject, shownWeek(row, threshold)]))
    const isWithheld = (id: string) => rows.get(id)?.isSuppressed
    return cells(own, rows, ({ attendance }) => attendance, isWithheld)
  }
  const sheets: PublishedSheet[] = [sheetOf(ofWeek(spaceIds), -1, ofWeek(teamIds))]
  const times = [`the week of ${monday}`]
  const days = [...new Set([...spaceDays, ...teamDays].map(({ day }) => day))].sort()
  for (const day of days) {
    const ofSpaces = new Map(spaceDays.filter((row) => row.day === day).map((row) => [row.spaceId, row]))
    const ofTeams = new Map(teamDays.filter((row) => row.day === day).map((row) => [row.teamId, row]))
    times.push(day)
    const at = sheets.push(daySheet(ids, ofSpaces, ofTeams, threshold)) - 1
    for (const [hour, sheet] of withHours ? hourSheets(spaceIds, ofSpaces, threshold, at) : []) {
      times.push(`${day}T${String(hour).padStart(2, '0')}`)
      sheets.push(sheet)
    }
  }
  const levels = (withHours ? days : []).map((day) => {
    const rows = spaceDays.filter((row) => row.day === day)
    return publishedDay(spaces, rows, { day, threshold })
  })
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
    ids,
    names: { space: spaces.nodes.map(({ name }) => name), team: teams.nodes.map(({ name }) => name) },
  }
}

function daySheet(
  ids: PublishedWeek['ids'],
  ofSpaces: ReadonlyMap<string, SpaceDayRow>,
  ofTeams: ReadonlyMap<string, TeamDayRow>,
  threshold: number,
): PublishedSheet {
  const isSpaceWithheld = (id: string) => {
    const row = ofSpaces.get(id)
    return row && shownSpaceDay(row, threshold).isSuppressed
  }
  const isTeamWithheld = (id: string) => {
    const row = ofTeams.get(id)
    return row && shownTeamDay(row, threshold).isSuppressed
  }
  const attendanceOf = ({ attendance }: Pick<SpaceDayRow, 'attendance'>) => attendance
  const spaces = cells(ids.space, ofSpaces, attendanceOf, isSpaceWithheld)
  return sheetOf(spaces, 0, cells(ids.team, ofTeams, attendanceOf, isTeamWithheld))
}

/** Returns the sheets of the hours with people, within the sheet of their day. */
function hourSheets(
  ids: readonly string[],
  ofSpaces: ReadonlyMap<string, SpaceDayRow>,
  threshold: number,
  within: number,
): [hour: number, sheet: PublishedSheet][] {
  return Array.from({ length: 24 }, (_, hour) => hour).flatMap((hour) => {
    const countOf = ({ hourlyAttendance }: SpaceDayRow) => hourlyAttendance[hour] ?? 0
    const ofHour = cells(ids, ofSpaces, countOf, (id) => isHourWithheld(ofSpaces.get(id), hour, threshold))
    return ofHour.counts.some((count) => count > 0) ? [[hour, sheetOf(ofHour, within)]] : []
  })
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
