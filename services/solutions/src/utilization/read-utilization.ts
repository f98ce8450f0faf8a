import { invalidField, maxUtilizationRows, type solutions } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { z } from 'zod'
import type { Db } from '../store/client.ts'
import { findAllDatasets } from '../store/datasets.ts'
import { countStaleWeeks } from '../store/facts.ts'
import { peopleSubjects } from '../store/figures.ts'
import { findSpaceNodes } from '../store/spaces.ts'
import { findTeamNodes } from '../store/teams.ts'
import { findLastDay, findSpaceDays, findTeamDays, findWeekAttendance } from '../store/utilization.ts'
import { readPrivacyThreshold } from '../store/workplace-settings.ts'
import { capacitiesOf } from '../workplace/capacities.ts'
import { effectiveValues } from '../workplace/inherit.ts'
import { dateOf, dayOf, mondayOf, weekdayOf } from '../workplace/local-days.ts'
import { buildTree, pathOf, type Tree, type TreeNode } from '../workplace/tree.ts'
import { unreadWarnings } from '../workplace/unread-warnings.ts'
import type { Subject } from './combine-days.ts'
import { lengthWarnings } from './length-warnings.ts'
import { headcountWarning, noListWarning, raisedNotice } from './people-warnings.ts'
import { readCoverage } from './read-coverage.ts'
import { utilizationRows } from './rows.ts'
import { shownSpaceDay, shownTeamDay, shownWeek } from './shown-day.ts'

type Rows = z.input<typeof solutions.getUtilization.list>[]
type Asked = Omit<z.output<typeof solutions.getUtilization.query>, 'limit' | 'cursor'>

/** Reads the rows of spaces or teams. @throws Problem `validation_failed` for what cannot be answered */
export async function readUtilization(db: Db, query: Query, workspaceId: string, asked: Asked) {
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
  // Once all weeks are counted with the threshold, their bits tell which levels are withheld.
  const hours = interval === 'hour' || interval === 'weekday_hour' || pending > 0 ? 'all' : 'levels'
  const options: ReadOptions = { field, given: ids, children, threshold, hours, range: days }
  const { subjects, names, timezone, warnings } = isOfTeams
    ? await readTeams(query, workspaceId, options)
    : await readSpaces(db, query, workspaceId, options)
  const isAsked = daysOf(asked.weekdays)
  const rows: Rows = subjects.flatMap((subject) =>
    utilizationRows({ ...subject, days: subject.days.filter(({ day }) => isAsked(day)) }, interval),
  )
  if (rows.length > maxUtilizationRows)
    throw invalidField(
      '?since',
      `asks for ${rows.length} rows, more than ${maxUtilizationRows}: ask for a shorter time`,
    )
  const notices = [...(await unreadWarnings(query, workspaceId)), ...warnings]
  const meta = { timezone, ...days, privacy_threshold: threshold, pending_weeks: pending, warnings: notices }
  return { rows, names, meta }
}

const monthDays = 28

/** Returns the days that are asked for, by default those before the last day with figures. */
export async function rangeOf(
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

interface ReadOptions {
  /** The field of the request that names the spaces or teams. */
  field: string
  given: readonly string[]
  /** Reads those directly in them as well. */
  children: boolean
  threshold: number
  hours: 'all' | 'levels'
  range: { since: string; until: string }
}

async function readSpaces(db: Db, query: Query, workspaceId: string, options: ReadOptions) {
  const { given, threshold, hours, range } = options
  const tree = buildTree(await findSpaceNodes(query, workspaceId))
  const { ids, names, weeksOf } = await readNodes(query, workspaceId, tree, 'space', options)
  const capacities = capacitiesOf(tree)
  const rows = await findSpaceDays(query, workspaceId, ids, range, hours)
  const days = Map.groupBy(
    rows.map((row) => ({ id: row.spaceId, shown: shownSpaceDay(row, threshold) })),
    ({ id }) => id,
  )
  const shownOf = (id: string) => (days.get(id) ?? []).map(({ shown }) => shown)
  const { coverageOf, warnings } = await readCoverage(db, query, workspaceId, tree, range)
  const subjects = ids.map(
    (id): Subject => ({
      id: { space_id: id },
      isTeam: false,
      capacity: capacities[tree.positions.get(id) ?? -1] ?? null,
      days: shownOf(id),
      weeks: weeksOf(id),
      coverageOn: coverageOf(id),
    }),
  )
  const [zone = null, ...others] = new Set(given.map((id) => effectiveValues(pathOf(tree, id)).timezone))
  const timezone = others.length > 0 ? null : zone
  const datasets = await findAllDatasets(db, workspaceId)
  const lengths = await lengthWarnings(query, workspaceId, tree, { datasets, spaceIds: ids })
  const notice = raisedNotice(
    subjects,
    ids.map((id) => names.get(id) ?? ''),
  )
  return {
    subjects,
    names,
    timezone,
    warnings: [...new Set([...given.flatMap((id) => warnings(id)), ...lengths, ...notice])],
  }
}

async function readTeams(query: Query, workspaceId: string, options: ReadOptions) {
  const { threshold, range } = options
  const tree = buildTree(await findTeamNodes(query, workspaceId))
  const { ids, names, weeksOf } = await readNodes(query, workspaceId, tree, 'team', options)
  const days = Map.groupBy(await findTeamDays(query, workspaceId, ids, range), (row) => row.teamId)
  const people = await findWeekAttendance(query, workspaceId, Object.values(peopleSubjects), allWeeks)
  const subjects = ids.map(
    (id): Subject => ({
      id: { team_id: id },
      isTeam: true,
      capacity: null,
      days: (days.get(id) ?? []).map((row) => shownTeamDay(row, threshold)),
      weeks: weeksOf(id),
      coverageOn: () => 1,
    }),
  )
  const headcounts = subjects.flatMap((subject, at) => headcountWarning(subject, names.get(ids[at] ?? '') ?? ''))
  return { subjects, names, timezone: null, warnings: [...noListWarning(people, threshold), ...headcounts] }
}

const allWeeks = { since: '-infinity', until: 'infinity' }

/**
 * Reads the weeks of the spaces or teams that are asked for.
 * @throws Problem `validation_failed` if one of them does not exist
 */
async function readNodes(
  query: Query,
  workspaceId: string,
  tree: Tree<TreeNode & { name: string }>,
  noun: 'space' | 'team',
  { field, given, children, threshold, range }: ReadOptions,
) {
  if (!given.every((id) => tree.positions.has(id))) {
    const detail = given.length === 1 ? `is not a ${noun}` : `names a ${noun} that is not`
    throw invalidField(field, `${detail} of this workspace`, 'unknown_reference')
  }
  const wanted: ReadonlySet<string | null> = new Set(given)
  const asked = tree.nodes.filter((node) => wanted.has(node.id) || (children && wanted.has(node.parentId)))
  const ids = asked.map(({ id }) => id)
  const weeks = Map.groupBy(await findWeekAttendance(query, workspaceId, ids, range), (row) => row.subject)
  const weeksOf = (id: string) => (weeks.get(id) ?? []).map((row) => shownWeek(row, threshold))
  return { ids, names: new Map(asked.map(({ id, name }) => [id, name])), weeksOf }
}
