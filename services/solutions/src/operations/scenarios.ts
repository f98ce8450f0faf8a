import { invalidField, problem, type solutions, type WorkspaceCaller } from '@wp/contracts'
import { enforceQuota, mapPage, newId, type Query } from '@wp/database'
import { cancelJob, deleteJob, enqueue, getJob, type Job, jobFields, listJobs } from '@wp/jobs'
import type { z } from 'zod'
import { found, type Operation } from '../context.ts'
import type { RunInput } from '../runs/input/run-input.ts'
import { forecastQueue } from '../runs/queue.ts'
import { readBasis } from '../scenarios/read-basis.ts'
import { reportFile } from '../scenarios/report/report-file.ts'
import { scenarioFile } from '../scenarios/report/scenario-file.ts'
import { readScenarioReport } from '../scenarios/report/scenario-report.ts'
import { compareResults } from '../scenarios/result/compare.ts'
import { freeTotalsOf } from '../scenarios/result/scenario-result.ts'
import { type AskedScenario, type ScenarioResult, scenarioQueue, scenarioQuota } from '../scenarios/scenario-job.ts'
import { findPathsNodes } from '../store/forecast-paths.ts'
import { findScheduleOfScenario } from '../store/plan-schedules.ts'
import { detachScenario, lockRecommendations } from '../store/recommendations.ts'
import { lockTrees } from '../store/spaces.ts'
import { deletedWarnings, readDeleted } from '../workplace/unread-warnings.ts'

export const listScenarios: Operation<'listScenarios'> = async (
  { database },
  caller,
  { query: { limit, cursor, status, name, forecast_run_id: subject, external_id: externalId, metadata } },
) => {
  const { workspaceId } = caller
  return database.read(caller, async (_db, sql) => {
    const page = await listJobs(sql, {
      workspaceId,
      queue: scenarioQueue,
      limit,
      cursor,
      state: status,
      subject,
      externalId,
      metadata,
      contains: name === undefined ? undefined : { member: 'name', text: name },
      omit: { result: ['floors', 'teams', 'free'] },
    })
    const deletedOf = await readDeleted(sql, workspaceId)
    return mapPage(page, (job) =>
      scenarioView(job, deletedOf((job.result as ScenarioResult | null)?.rests_on) !== null),
    ) // written by run-scenario.ts
  })
}

export const createScenario: Operation<'createScenario'> = (
  { database },
  caller,
  { body: { metadata, external_id: externalId, ...asked } },
) =>
  database.transact(caller, async (tx) => {
    await checkReferences(tx.query, caller, asked)
    const job = await enqueue(tx, {
      id: newId('scn'),
      queue: scenarioQueue,
      subject: asked.forecast_run_id,
      input: asked,
      metadata,
      externalId,
    })
    await enforceQuota(tx.query, caller.workspaceId, scenarioQuota)
    return scenarioView(job)
  })

export const getScenario: Operation<'getScenario'> = async ({ database }, caller, { params }) => {
  const { job, result, isStale } = await database.read(caller, (_db, sql) => findWithWarnings(sql, caller, params.id))
  return { ...scenarioView(job, isStale), result: result && { ...result, free_totals: freeTotalsOf(result) } }
}

export const getScenarioContent: Operation<'getScenarioContent'> = async (
  { database, config },
  caller,
  { params, query: { format, locale } },
) => {
  const { job, ...read } = await database.read(caller, (_db, sql) => findWithWarnings(sql, caller, params.id))
  const withWarnings = { ...job, result: read.result }
  const result = format === 'pdf' ? requireFinished(withWarnings) : requireResult(withWarnings)
  const reader = { productName: config.PRODUCT_NAME, locale }
  const report = await database.read(caller, (_db, sql) => readScenarioReport(sql, job, result, reader))
  return format === 'pdf' ? reportFile(report, config.REPORT_FONT_FILE) : scenarioFile(report, format)
}

export const cancelScenario: Operation<'cancelScenario'> = ({ database }, caller, { params }) =>
  database.transact(caller, async (tx) =>
    scenarioView(await cancelJob(tx, { workspaceId: caller.workspaceId, queue: scenarioQueue, id: params.id })),
  )

export const deleteScenario: Operation<'deleteScenario'> = ({ database }, caller, { params: { id } }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    // No schedule is set to the scenario until it is gone.
    await lockTrees(tx, workspaceId)
    const schedule = await findScheduleOfScenario(tx.db, workspaceId, id)
    if (schedule !== null)
      throw problem('conflict', {
        detail: `The daily plan "${schedule.name}" (${schedule.id}) follows this scenario: choose another one there first.`,
      })
    await deleteJob(tx, { workspaceId, queue: scenarioQueue, id })
    await lockRecommendations(tx, workspaceId)
    await detachScenario(tx, workspaceId, id)
    return { id }
  })

export const compareScenarios: Operation<'compareScenarios'> = ({ database }, caller, { params, query }) =>
  database.read(caller, async (_db, sql) => {
    found(await findScenario(sql, caller, params.id))
    if ((await findScenario(sql, caller, query.other_id)) === null)
      throw invalidField('?other_id', 'is not a scenario of this workspace', 'unknown_reference')
    const resultOf = async (id: string) => {
      const { job, result } = await findWithWarnings(sql, caller, id)
      return requireResult({ ...job, result })
    }
    const [one, other] = [await resultOf(params.id), await resultOf(query.other_id)]
    return { scenario_id: params.id, other_id: query.other_id, ...compareResults(one, other) }
  })

const findScenario = (query: Query, { workspaceId }: WorkspaceCaller, id: string) =>
  getJob(query, { workspaceId, queue: scenarioQueue, id })

/** Finds a scenario and its result, with a warning if data on which it rests was deleted. */
async function findWithWarnings(query: Query, caller: WorkspaceCaller, id: string) {
  const job = found(await findScenario(query, caller, id))
  const result = job.result as ScenarioResult | null // written by run-scenario.ts
  const deleted = await deletedWarnings(query, caller.workspaceId, result?.rests_on)
  return {
    job,
    isStale: deleted.length > 0,
    result: result && { ...result, warnings: [...deleted, ...result.warnings] },
  }
}

function requireFinished({ id, state, result }: Job): ScenarioResult {
  const solved = result as ScenarioResult | null // written by run-scenario.ts
  if (solved === null)
    throw problem('conflict', { detail: `The scenario ${id} is ${state}; only a finished one has a report` })
  return solved
}

function requireResult({ id, result }: Job): ScenarioResult {
  const solved = result as ScenarioResult | null // written by run-scenario.ts
  if (solved === null || solved.floors.length === 0)
    throw problem('conflict', {
      detail: `The scenario ${id} has no places: it is not finished, or none were found`,
    })
  return solved
}

const scenarioView = (job: Job, stale = false): z.input<typeof solutions.createScenario.accepted> => ({
  id: job.id,
  ...jobFields(job),
  trigger: 'manual',
  ...(job.input as AskedScenario), // written by createScenario, from the parsed body
  summary: summaryOf(job),
  metadata: job.metadata,
  external_id: job.externalId,
  stale,
})

function summaryOf({ result }: Job): z.input<typeof solutions.createScenario.accepted>['summary'] {
  if (result === null) return null
  const { is_feasible, saving, risk, moved_people } = result as ScenarioResult // written by run-scenario.ts
  return {
    is_feasible,
    moved_people,
    service_level: risk === null ? null : Math.round((1 - risk.overflow_days) * 10_000) / 10_000,
    saving: saving === null ? null : { amount: saving.amount, currency: saving.currency },
  }
}

/** @throws Problem for a run that is not a base, and for what a plan cannot follow */
async function checkReferences(query: Query, { workspaceId }: WorkspaceCaller, asked: AskedScenario): Promise<void> {
  const run = await getJob(query, { workspaceId, queue: forecastQueue, id: asked.forecast_run_id })
  if (run === null)
    throw invalidField('/forecast_run_id', 'is not a forecast run of this workspace', 'unknown_reference')
  const { workplace } = (run.input as RunInput).parameters // written by startForecastRun
  if (workplace?.level !== 'team' && workplace?.level !== 'floor')
    throw invalidField('/forecast_run_id', 'must be a run over the workplace with the level team or floor')
  if (run.state !== 'finished') throw problem('conflict', { detail: `The forecast run is ${run.state}` })
  await readBasis(query, workspaceId, { asked, run, nodes: await findPathsNodes(query, workspaceId, run.id) })
}
