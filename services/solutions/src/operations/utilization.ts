import { invalidField, maxUtilizationRows, type Operation, type solutions } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { z } from 'zod'
import { requestRecount } from '../attendance/request-recount.ts'
import type { Context } from '../context.ts'
import { sumBookings } from '../store/booking-months.ts'
import type { Db } from '../store/client.ts'
import { countStaleWeeks } from '../store/facts.ts'
import { findSpaceNodes } from '../store/spaces.ts'
import { findTeamNodes } from '../store/teams.ts'
import { findLastDay, findSpaceDays, findTeamDays, findWeekAttendance } from '../store/utilization.ts'
import { readPrivacyThreshold, setPrivacyThreshold } from '../store/workplace-settings.ts'
import { utilizationFile } from '../utilization/file.ts'
import { noShowRows } from '../utilization/no-shows.ts'
import { readCoverage } from '../utilization/read-coverage.ts'
import { type Subject, utilizationRows } from '../utilization/rows.ts'
import { shownSpaceDay, shownTeamDay, shownWeek } from '../utilization/shown-day.ts'
import { capacitiesOf } from '../workplace/capacities.ts'
import { effectiveValues } from '../workplace/inherit.ts'
import { dateOf, dayOf, mondayOf, monthsAround, weekdayOf } from '../workplace/local-days.ts'
import { buildTree, pathOf, type Tree, type TreeNode } from '../workplace/tree.ts'

type Rows = z.input<typeof solutions.getUtilization.list>[]
type Asked = Omit<z.output<typeof solutions.getUtilization.query>, 'limit' | 'cursor'>

export const getUtilization: Operation<typeof solutions.getUtilization, Context> = ({ database }, caller, { query }) =>
  database.read(caller, async (db, sql) => {
    const { rows, meta } = await readUtilization(db, sql, caller.workspaceId, query)
    return { items: rows, nextCursor: null, meta }
  })

export const getUtilizationContent: Operation<typeof solutions.getUtilizationContent, Context> = async (
  { database },
  caller,
  { query: { format, ...asked } },
) => {
  const { rows, names, meta } = await database.read(caller, (db, sql) =>
    readUtilization(db, sql, caller.workspaceId, asked),
  )
  return utilizationFile(rows, names, { format, warnings: meta.warnings })
}

export const listNoShows: Operation<typeof solutions.listNoShows, Context> = ({ database }, caller, { query }) =>
  database.read(caller, async (_db, sql) => {
    const { workspaceId } = caller
    const tree = buildTree(await findSpaceNodes(sql, workspaceId))
    const root = query.space_id
    if (root !== undefined && !tree.positions.has(root))
      throw invalidField('?space_id', 'is not a space of this workspace', 'unknown_reference')
    const ids = tree.nodes
      .filter(({ id, parentId }) => (root === undefined ? parentId === null : id === root || parentId === root))
      .map(({ id }) => id)
    const range = monthsAround(await rangeOf(sql, workspaceId, query, yearDays))
    const threshold = await readPrivacyThreshold(sql, workspaceId)
    return {
      items: noShowRows(await sumBookings(sql, workspaceId, ids, range, threshold), ids),
      nextCursor: null,
      meta: range,
    }
  })

export const getWorkplaceSettings: Operation<typeof solutions.getWorkplaceSettings, Context> = ({ database }, caller) =>
  database.read(caller, (_db, sql) => readSettings(sql, caller.workspaceId))

export const updateWorkplaceSettings: Operation<typeof solutions.updateWorkplaceSettings, Context> = (
  { database },
  caller,
  { body },
) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    const { privacy_threshold: threshold } = body
    if (threshold !== undefined && threshold !== (await readPrivacyThreshold(tx.query, workspaceId))) {
      await setPrivacyThreshold(tx.query, workspaceId, threshold)
      await requestRecount(tx, workspaceId)
    }
    tx.audit({ changes: { fields: Object.keys(body) } })
    return readSettings(tx.query, workspaceId)
  })

const readSettings = async (query: Query, workspaceId: string) => ({
  workspace_id: workspaceId,
  privacy_threshold: await readPrivacyThreshold(query, workspaceId),
})

const yearDays = 365
const monthDays = 28

async function rangeOf(
  query: Query,
  workspaceId: string,
  asked: { since?: string | undefined; until?: string | undefined; days?: number | undefined },
  defaultDays: number,
): Promise<{ since: string; until: string }> {
  if (asked.since !== undefined && asked.days !== undefined)
    throw invalidField('?days', 'must not be given beside since')
  const last = asked.until === undefined ? await findLastDay(query, workspaceId) : null
  const until = asked.until ?? (last === null ? dateOf(0) : dateOf(dayOf(last) + 1))
  const since = asked.since ?? dateOf(dayOf(until) - (asked.days ?? defaultDays))
  if (since >= until) throw invalidField('?until', 'must be after since')
  return { since, until }
}

async function readUtilization(db: Db, query: Query, workspaceId: string, asked: Asked) {
  const { interval, children } = asked
  const { field, ids, isOfTeams } = subjectsOf(asked)
  if (isOfTeams && (interval === 'hour' || interval === 'weekday_hour'))
    throw invalidField('?interval', 'of a team is day, week, weekday or range')
  const asksWholeWeeks = interval === 'week'
  if (asksWholeWeeks && asked.weekdays !== undefined)
    throw invalidField('?weekdays', 'must not be given with the interval week, whose people are those of all days')
  const range = await rangeOf(query, workspaceId, asked, monthDays)
  const days = asksWholeWeeks ? { since: mondayOf(range.since), until: mondayAfter(range.until) } : range
  refuseLongRange(interval, days)
  const [threshold, pending] = [
    await readPrivacyThreshold(query, workspaceId),
    await countStaleWeeks(query, workspaceId),
  ]
  const read = isOfTeams ? readTeams(query, workspaceId, field, ids) : readSpaces(db, query, workspaceId, field, ids)
  // Once all weeks are counted with the threshold, their bits tell which levels are withheld.
  const hours = interval === 'hour' || interval === 'weekday_hour' || pending > 0 ? 'all' : 'levels'
  const { subjects, names, timezone, warnings } = await (await read)({ children, threshold, hours }, days)
  const isAsked = daysOf(asked.weekdays)
  const rows: Rows = subjects.flatMap((subject) =>
    utilizationRows({ ...subject, days: subject.days.filter(({ day }) => isAsked(day)) }, interval),
  )
  if (rows.length > maxUtilizationRows)
    throw invalidField(
      '?since',
      `asks for ${rows.length} rows, more than ${maxUtilizationRows}: ask for a shorter time`,
    )
  return { rows, names, meta: { timezone, ...days, privacy_threshold: threshold, pending_weeks: pending, warnings } }
}

/** Returns a function that tells whether a day is one of the weekdays; any is without weekdays. */
function daysOf(asked: Asked['weekdays']): (day: string) => boolean {
  if (asked === undefined) return () => true
  const known: ReadonlySet<string> = new Set(asked)
  return (day) => known.has(weekdayOf(dayOf(day)))
}

/** Returns the spaces or teams that are asked for, and the field that names them. */
function subjectsOf(asked: Asked): { field: string; ids: readonly string[]; isOfTeams: boolean } {
  const fields = ['space_id', 'team_id', 'space_ids', 'team_ids'] as const
  const [field, other] = fields.filter((name) => asked[name] !== undefined)
  if (field === undefined) throw invalidField('?space_id', 'is required, or team_id, space_ids or team_ids')
  if (other !== undefined) throw invalidField(`?${other}`, `must not be given beside ${field}`)
  return { field: `?${field}`, ids: [asked[field] ?? []].flat(), isOfTeams: field.startsWith('team') }
}

/** Returns the Monday on or after a date. */
const mondayAfter = (date: string): string => mondayOf(dateOf(dayOf(date) + 6))

const maxDays = { hour: 93, day: 1_100, week: 1_100, weekday: 1_100, weekday_hour: 1_100, range: 1_100 } as const

function refuseLongRange(interval: Asked['interval'], { since, until }: { since: string; until: string }): void {
  const days = dayOf(until) - dayOf(since)
  if (days > maxDays[interval])
    throw invalidField(
      '?since',
      `asks for ${days} days; by ${interval}, at most ${maxDays[interval]} can be read at once`,
    )
}

interface ReadSubjects {
  subjects: Subject[]
  names: Map<string, string>
  timezone: string | null
  warnings: string[]
}
type ReadRange = (
  options: { children: boolean; threshold: number; hours: 'all' | 'levels' },
  range: { since: string; until: string },
) => Promise<ReadSubjects>

async function readSpaces(
  db: Db,
  query: Query,
  workspaceId: string,
  field: string,
  given: readonly string[],
): Promise<ReadRange> {
  const tree = buildTree(await findSpaceNodes(query, workspaceId))
  requireNodes(tree, field, given, 'space')
  const capacities = capacitiesOf(tree)
  return async ({ children, threshold, hours }, range) => {
    const asked = nodesOf(tree, given, children)
    const ids = asked.map((node) => node.id)
    const days = Map.groupBy(await findSpaceDays(query, workspaceId, ids, range, hours), (row) => row.spaceId)
    const weeks = Map.groupBy(await findWeekAttendance(query, workspaceId, ids, range), (row) => row.subject)
    const { coverageOf, warnings } = await readCoverage(db, query, workspaceId, tree, range)
    const subjects = asked.map(
      (node): Subject => ({
        ...{
          id: { space_id: node.id },
          isTeam: false,
          capacity: capacities[tree.positions.get(node.id) ?? -1] ?? null,
        },
        days: (days.get(node.id) ?? []).map((row) => shownSpaceDay(row, threshold)),
        weeks: (weeks.get(node.id) ?? []).map((row) => shownWeek(row, threshold)),
        coverageOn: coverageOf(node.id),
      }),
    )
    const names = new Map(asked.map((node) => [node.id, node.name]))
    const [timezone = null, ...others] = new Set(given.map((id) => effectiveValues(pathOf(tree, id)).timezone))
    return {
      subjects,
      names,
      timezone: others.length > 0 ? null : timezone,
      warnings: [...new Set(given.flatMap((id) => warnings(id)))],
    }
  }
}

async function readTeams(
  query: Query,
  workspaceId: string,
  field: string,
  given: readonly string[],
): Promise<ReadRange> {
  const tree = buildTree(await findTeamNodes(query, workspaceId))
  requireNodes(tree, field, given, 'team')
  return async ({ children, threshold }, range) => {
    const asked = nodesOf(tree, given, children)
    const ids = asked.map((node) => node.id)
    const days = Map.groupBy(await findTeamDays(query, workspaceId, ids, range), (row) => row.teamId)
    const weeks = Map.groupBy(await findWeekAttendance(query, workspaceId, ids, range), (row) => row.subject)
    const subjects = asked.map(
      (node): Subject => ({
        ...{ id: { team_id: node.id }, isTeam: true, capacity: null },
        days: (days.get(node.id) ?? []).map((row) => shownTeamDay(row, threshold)),
        weeks: (weeks.get(node.id) ?? []).map((row) => shownWeek(row, threshold)),
        coverageOn: () => 1,
      }),
    )
    return { subjects, names: new Map(asked.map((node) => [node.id, node.name])), timezone: null, warnings: [] }
  }
}

/** @throws Problem `validation_failed` if one of the spaces or teams does not exist */
function requireNodes(tree: Tree, field: string, ids: readonly string[], noun: string): void {
  if (!ids.every((id) => tree.positions.has(id)))
    throw invalidField(
      field,
      ids.length === 1 ? `is not a ${noun} of this workspace` : `names a ${noun} that is not of this workspace`,
      'unknown_reference',
    )
}

/** Returns the nodes that are asked for, with those directly in them on request. */
function nodesOf<Node extends TreeNode>(tree: Tree<Node>, ids: readonly string[], children: boolean): Node[] {
  const given: ReadonlySet<string | null> = new Set(ids)
  return tree.nodes.filter((node) => given.has(node.id) || (children && given.has(node.parentId)))
}
