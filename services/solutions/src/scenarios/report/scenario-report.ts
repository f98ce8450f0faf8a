import type { Query } from '@wp/database'
import { getJob, type Job } from '@wp/jobs'
import { type ReaderText, textFor } from '../../content/reader-text.ts'
import type { RunInput, RunResult } from '../../runs/input/run-input.ts'
import { forecastQueue } from '../../runs/queue.ts'
import { findSpacesAbove } from '../../store/spaces.ts'
import { findTeamNodes } from '../../store/teams.ts'
import { effectiveValues } from '../../workplace/inherit.ts'
import { buildTree, fullName, pathOf } from '../../workplace/tree.ts'
import type { AskedScenario, ScenarioResult } from '../scenario-job.ts'

/** A finished scenario with what its report needs besides. */
export interface ScenarioReport {
  id: string
  productName: string
  /** Language tag of the reader; undefined if it is not known. */
  locale: string | undefined
  asked: AskedScenario
  result: ScenarioResult
  finishedAt: Date
  /** Time zone of the site. */
  timezone: string
  /** The present names of the spaces and teams of the request by id, with those around them. */
  names: ReadonlyMap<string, string>
  /** The currencies of the spaces of the request by id. */
  currencies: ReadonlyMap<string, string>
  /** The base forecast; null if it was deleted. */
  forecast: { historyUntil: string; days: number } | null
}

/** Reads what the report of a finished scenario needs besides its request and result. */
export async function readScenarioReport(
  query: Query,
  job: Job,
  result: ScenarioResult,
  { productName, locale }: Pick<ScenarioReport, 'productName' | 'locale'>,
): Promise<ScenarioReport> {
  const { id, workspaceId, finishedAt, createdAt } = job
  const asked = job.input as AskedScenario // written by createScenario, from the parsed body
  const { close_spaces: closed, capacity, cost, headcount, attendance } = asked.changes
  const spaceIds = [...closed, ...capacity, ...cost].map(({ space_id }) => space_id)
  const spaces = buildTree(
    await findSpacesAbove(query, workspaceId, asked.space_id === null ? spaceIds : [...spaceIds, asked.space_id]),
  )
  const hasTeams = [...headcount, ...attendance].some(({ team_id }) => team_id !== undefined)
  const teams = buildTree(hasTeams ? await findTeamNodes(query, workspaceId) : [])
  return {
    id,
    productName,
    locale,
    asked,
    result: forReader(result, textFor(locale)),
    finishedAt: finishedAt ?? createdAt,
    timezone: effectiveValues(pathOf(spaces, asked.space_id ?? '')).timezone,
    names: new Map(
      [spaces, teams].flatMap((tree) =>
        tree.nodes.map((node): [string, string] => [node.id, fullName(pathOf<typeof node>(tree, node.id))]),
      ),
    ),
    currencies: new Map(
      spaceIds.flatMap((space) => {
        const { currency } = effectiveValues(pathOf(spaces, space))
        return currency === null ? [] : [[space, currency]]
      }),
    ),
    forecast: await readForecast(query, workspaceId, asked.forecast_run_id),
  }
}

/** Returns a result whose sentences have dates and numbers as the reader writes them. */
const forReader = (result: ScenarioResult, { sentence }: ReaderText): ScenarioResult => ({
  ...result,
  conclusion: sentence(result.conclusion),
  conflict: result.conflict.map(sentence),
  warnings: result.warnings.map(sentence),
  floors: result.floors.map((floor) => ({
    ...floor,
    kept_open_by: floor.kept_open_by === null ? null : sentence(floor.kept_open_by),
  })),
  saving: result.saving && {
    ...result.saving,
    lines: result.saving.lines.map((line) => ({ ...line, arithmetic: sentence(line.arithmetic) })),
  },
})

async function readForecast(query: Query, workspaceId: string, id: string): Promise<ScenarioReport['forecast']> {
  const run = await getJob(query, { workspaceId, queue: forecastQueue, id })
  if (run?.state !== 'finished') return null
  // Input and result are written by start-forecast-run.ts and run-workplace-forecast.ts.
  const { history_until: historyUntil } = run.result as RunResult
  const { horizon } = (run.input as RunInput).parameters
  return historyUntil == null ? null : { historyUntil, days: horizon }
}
