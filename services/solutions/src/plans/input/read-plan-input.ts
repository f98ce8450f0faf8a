import { maxPlanFloors, type OpeningHours } from '@wp/contracts'
import type { Query } from '@wp/database'
import { getJob } from '@wp/jobs'
import { minutesOf } from '../../attendance/counting/measures.ts'
import { findHolidays } from '../../runs/workplace/holidays.ts'
import { longestFault } from '../../runs/workplace/missing-days.ts'
import { type AskedScenario, type ScenarioResult, scenarioQueue } from '../../scenarios/scenario-job.ts'
import type { Db } from '../../store/client.ts'
import { countStaleWeeks } from '../../store/facts.ts'
import type { PlanSchedule } from '../../store/plan-schedules.ts'
import { findSpaceNodes, type SpaceNode } from '../../store/spaces.ts'
import { findSpaceDaysOn } from '../../store/utilization.ts'
import { readPrivacyThreshold } from '../../store/workplace-settings.ts'
import { readCoverage } from '../../utilization/read-coverage.ts'
import { type ShownDay, shownSpaceDay } from '../../utilization/shown-day.ts'
import { capacitiesOf } from '../../workplace/capacities.ts'
import { effectiveValues } from '../../workplace/inherit.ts'
import { dateOf, dayOf, weekdayOf } from '../../workplace/local-days.ts'
import { missingCountryWarnings } from '../../workplace/missing-country.ts'
import { buildTree, pathOf, type Tree } from '../../workplace/tree.ts'
import { deletedDatasets, type RestsOn, readRestsOn, unreadWarnings } from '../../workplace/unread-warnings.ts'
import { daysByMeasure } from './choose-measure.ts'
import { floorsIn } from './floors-in.ts'
import type { OpenMinutes, PlanInput, PlanMeasure, PlannedSpace, RestDay } from './plan-input.ts'
import { findPlanForecasts, type PlanForecast } from './read-forecast.ts'

/** Weeks of the profile. */
const profileWeeks = 8

/**
 * Reads what the plan of a day is made of, except what the plan before kept closed.
 *
 * @returns null if the space does not exist
 */
export async function readPlanInput(
  db: Db,
  query: Query,
  workspaceId: string,
  { spaceId, parameters, scenarioId }: PlanSchedule,
  date: string,
): Promise<(Omit<PlanInput, 'usedWhileClosed'> & { restsOn: RestsOn }) | null> {
  const tree = buildTree(await findSpaceNodes(query, workspaceId))
  const path = pathOf(tree, spaceId)
  const [site] = path
  if (site === undefined) return null
  const all = floorsIn(tree, spaceId)
  const floors = all.slice(0, maxPlanFloors)
  const warnings = floors.length < all.length ? [`Only ${maxPlanFloors} of ${all.length} floors are planned.`] : []
  const ids = [spaceId, ...floors.map(({ id }) => id)]
  const { forecasts, warnings: stale } = await findPlanForecasts(query, workspaceId, ids, date)
  const { holidays: changes = {} } = forecasts.get('attendance') ?? forecasts.get('peak') ?? {}
  const weeks = Array.from({ length: profileWeeks }, (_, at) => dateOf(dayOf(date) - 7 * (at + 1)))
  const range = { first: weeks.at(-1) ?? date, last: date }
  const holidays = await findHolidays([{ id: spaceId, parentId: null, place: path }], changes, range)
  const names = new Map((holidays.of.get(spaceId) ?? []).map((holiday) => [holiday.date, holiday.name]))
  const workdays = weeks.filter((day) => !names.has(day))
  const daysOf = await readDays(db, query, workspaceId, tree, ids, workdays)
  const scenario = await readFreedFloors(query, workspaceId, scenarioId, date)
  const pending = await countStaleWeeks(query, workspaceId)
  if (pending > 0) warnings.push(`${pending} weeks are still being counted, so figures may change.`)
  warnings.push(...(await unreadWarnings(query, workspaceId)))
  const capacities = capacitiesOf(tree)
  const spaceOf = ({ id }: SpaceNode, name: string): PlannedSpace => ({
    id,
    name,
    capacity: capacities[tree.positions.get(id) ?? -1] ?? null,
    open: openMinutes(effectiveValues(pathOf(tree, id)).openingHours, date),
    ...figuresOf(id, daysOf(id), forecasts),
  })
  const planned = floors.map((floor) => spaceOf(floor.node, floor.name))
  const own = spaceOf(site, site.name)
  const used = [own, ...planned].flatMap(({ measure, forecast }) =>
    forecast === null ? [] : (forecasts.get(measure) ?? []),
  )
  const basis = [...new Set(used)].flatMap(({ restsOn }) => restsOn).concat(scenario.restsOn)
  return {
    date,
    timezone: effectiveValues(path).timezone,
    site: own,
    floors: planned,
    parameters,
    restDay: restDayOf(names.get(date), [own, ...planned]),
    forecastRunId: used[0]?.runId ?? null,
    scenario: scenario.freed,
    restsOn: await readRestsOn(query, workspaceId, spaceId, basis),
    warnings: [...stale, ...warnings, ...holidays.warnings, ...missingCountryWarnings([path]), ...scenario.warnings],
  }
}

/** Returns what is known of a space by the measure that tells of more of its people. */
function figuresOf(id: string, days: readonly ShownDay[], forecasts: ReadonlyMap<PlanMeasure, PlanForecast>) {
  const chosen = daysByMeasure(days)
  return { ...chosen, forecast: forecasts.get(chosen.measure)?.of.get(id) ?? null }
}

/** Reads the days of spaces as shown, but those on which a reader was silent: as in forecasts, they are too low. */
async function readDays(
  db: Db,
  query: Query,
  workspaceId: string,
  tree: Tree<SpaceNode>,
  ids: readonly string[],
  days: readonly string[],
): Promise<(id: string) => ShownDay[]> {
  const [first = '', last = ''] = [days.at(-1), days[0]]
  if (first === '') return () => []
  const threshold = await readPrivacyThreshold(query, workspaceId)
  const rows = Map.groupBy(await findSpaceDaysOn(query, workspaceId, ids, days), ({ spaceId }) => spaceId)
  const range = { since: first, until: dateOf(dayOf(last) + 1), longestGap: longestFault }
  const { coverageOf } = await readCoverage(db, query, workspaceId, tree, range)
  return (id) => {
    const coverageOn = coverageOf(id)
    return (rows.get(id) ?? []).map((row) => shownSpaceDay(row, threshold)).filter((day) => coverageOn(day) === 1)
  }
}

function restDayOf(holiday: string | undefined, spaces: readonly PlannedSpace[]): RestDay | null {
  if (holiday !== undefined) return { reason: 'holiday', name: holiday }
  return spaces.every(({ open }) => open === null) ? { reason: 'not_open', name: null } : null
}

function openMinutes(hours: OpeningHours, date: string): OpenMinutes | null {
  const own = hours[weekdayOf(dayOf(date))]
  return own === undefined ? null : { from: minutesOf(own.from), to: minutesOf(own.to) }
}

/** Reads which floors a scenario frees on the weekday of a date, or why it frees none. */
async function readFreedFloors(
  query: Query,
  workspaceId: string,
  scenarioId: string | null,
  date: string,
): Promise<{ freed: PlanInput['scenario']; restsOn: RestsOn; warnings: string[] }> {
  if (scenarioId === null) return { freed: null, restsOn: [], warnings: [] }
  const job = await getJob(query, { workspaceId, queue: scenarioQueue, id: scenarioId })
  const none = (reason: string) => ({
    freed: null,
    restsOn: [],
    warnings: [`No floor is closed by the scenario: ${reason}.`],
  })
  if (job === null) return none('it was deleted')
  const result = job.result as ScenarioResult | null // written by run-scenario.ts
  if (result === null) return none('it is not finished')
  if (!result.is_feasible) return none('it found no places')
  const deleted = await deletedDatasets(query, workspaceId, result.rests_on ?? [])
  if (deleted !== null) return none(`${deleted} deleted after it was made. Compute it again`)
  const weekday = weekdayOf(dayOf(date))
  const { name } = job.input as AskedScenario // written by createScenario, from the parsed body
  const free = result.free.filter(({ weekdays }) => weekdays.includes(weekday))
  const freed = { name, freeIds: new Set(free.map(({ space_id: id }) => id)) }
  return { freed, restsOn: result.rests_on ?? [], warnings: [] }
}
