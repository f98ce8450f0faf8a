import { invalidField, Problem, problem } from '@wp/contracts'
import { decodeCursor, enforceMeters, enforceQuota, newId, paginate } from '@wp/database'
import { cancelJob, enqueue } from '@wp/jobs'
import { requireScope } from '@wp/service'
import type { Operation } from '../context.ts'
import { compareResults } from '../evaluations/compare-results.ts'
import { stopEvaluation } from '../evaluations/end-evaluation.ts'
import { evaluationResultView, readEvaluationView, readEvaluationViews } from '../evaluations/evaluation-views.ts'
import { readGateVerdict } from '../evaluations/read-gate.ts'
import { checkModel } from '../models/check-model.ts'
import { evaluationQueue, runningEvaluationQuota } from '../runs/queue.ts'
import { findAgentVersion } from '../store/agents/agent-versions.ts'
import { findAgent } from '../store/agents/agents.ts'
import {
  deleteEvaluationRow,
  type EvaluationRow,
  findEvaluation,
  findEvaluations,
  findLastFinished,
  insertEvaluation,
} from '../store/evaluations/evaluations.ts'
import { insertResults, listResults } from '../store/evaluations/results.ts'
import { findEvaluationSet, lockEvaluationSet } from '../store/evaluations/sets.ts'
import { evaluationQuota } from '../store/quotas.ts'

export const startEvaluation: Operation<'startEvaluation'> = async (context, caller, { body }) => {
  const { workspaceId, principal } = caller
  const { agent_id: agentId, evaluation_set_id: setId, max_tokens: maxTokens, timeout_ms: timeoutMs } = body
  requireScope(caller, 'agents:run', 'Evaluating an agent')
  const set = await context.database.read(caller, (db) =>
    asReference('/evaluation_set_id', findEvaluationSet(db, workspaceId, setId)),
  )
  if (set.grader !== null) await checkModel(context, caller, set.grader, '/evaluation_set_id')
  const { request: _request, ...stored } = caller
  return context.database.transact(caller, async (tx) => {
    const agent = await asReference('/agent_id', findAgent(tx.db, workspaceId, agentId))
    const version = body.version ?? agent.version
    if ((await findAgentVersion(tx.db, workspaceId, agentId, version)) === null)
      throw invalidField('/version', 'is not a version of the agent', 'unknown_reference')
    await asReference('/evaluation_set_id', lockEvaluationSet(tx.query, workspaceId, setId))
    // Read under the lock, so that the cases are those of the revision.
    const { revision: setRevision, grader } = await findEvaluationSet(tx.db, workspaceId, setId)
    const id = newId('eval')
    const evaluation = await insertEvaluation(tx.db, {
      id,
      workspaceId,
      agentId,
      version,
      setId,
      setRevision,
      grader,
      maxTokens,
      timeoutMs,
      createdBy: principal.id,
    })
    if ((await insertResults(tx.query, evaluation, setId)) === 0)
      throw invalidField('/evaluation_set_id', 'the set has no cases')
    await enqueue(tx, { id, queue: evaluationQueue, subject: agentId, input: {}, caller: stored })
    await enforceMeters(tx.query, workspaceId, ['agent_runs', 'tokens_in', 'tokens_out'])
    await enforceQuota(tx.query, workspaceId, evaluationQuota)
    await enforceQuota(tx.query, workspaceId, runningEvaluationQuota)
    return readEvaluationView(tx.query, evaluation)
  })
}

/** Names the field of the body whose resource does not exist. */
const asReference = <T>(pointer: string, found: Promise<T>): Promise<T> =>
  found.catch((error: unknown) => {
    if (!(error instanceof Problem && error.code === 'not_found')) throw error
    throw invalidField(pointer, 'does not exist in this workspace', 'unknown_reference')
  })

export const listEvaluations: Operation<'listEvaluations'> = (
  { database },
  { workspaceId, ...caller },
  { query: filter },
) =>
  database.read({ workspaceId, ...caller }, async (db, query) => {
    const { items, nextCursor } = await findEvaluations(db, workspaceId, filter)
    return { items: await readEvaluationViews(query, workspaceId, items), nextCursor }
  })

export const getEvaluation: Operation<'getEvaluation'> = ({ database }, caller, { params: { id } }) =>
  database.read(caller, async (db, query) => {
    const { workspaceId } = caller
    const evaluation = await findEvaluation(db, workspaceId, id)
    const agent = await findAgent(db, workspaceId, evaluation.agentId).catch(() => null)
    const gate = agent?.gate ?? null
    const isGated = agent !== null && gate !== null && gate.evaluation_set_id === evaluation.setId
    return {
      ...(await readEvaluationView(query, evaluation)),
      gate: isGated
        ? await readGateVerdict({ db, query }, workspaceId, agent, { gate, version: evaluation.version })
        : null,
    }
  })

export const listEvaluationResults: Operation<'listEvaluationResults'> = (
  { database },
  caller,
  { params: { id }, query: { limit, cursor, outcome } },
) =>
  database.read(caller, async (db, query) => {
    const evaluation = await findEvaluation(db, caller.workspaceId, id)
    const after = cursor === undefined ? 0 : positionOf(cursor)
    const rows = await listResults(query, evaluation, { after, limit: limit + 1, outcome })
    const { createdAt } = evaluation
    const page = paginate(rows, limit, ({ position }) => ({ createdAt, id: String(position) }))
    return { items: page.items.map(evaluationResultView), nextCursor: page.nextCursor }
  })

/** @throws Problem `invalid_cursor` */
function positionOf(cursor: string): number {
  const position = Number(decodeCursor(cursor).id)
  if (Number.isSafeInteger(position) && position >= 0 && position < 2 ** 31) return position
  throw problem('invalid_cursor', { errors: [{ pointer: '?cursor', detail: 'is not a cursor of this list' }] })
}

export const compareEvaluations: Operation<'compareEvaluations'> = (
  { database },
  caller,
  { params: { id }, query: { baseline_id: baselineId } },
) =>
  database.read(caller, async (db, query) => {
    const { workspaceId } = caller
    const evaluation = requireFinished(await findEvaluation(db, workspaceId, id))
    const baseline = baselineId === undefined ? await findActive() : await findNamed(baselineId)
    const [before, after] = [await listResults(query, baseline), await listResults(query, evaluation)]
    const cases = compareResults(before, after)
    const count = (change: string) => cases.filter((each) => each.change === change).length
    return {
      baseline: await readEvaluationView(query, baseline),
      evaluation: await readEvaluationView(query, evaluation),
      counts: {
        worse: count('worse'),
        better: count('better'),
        equal: count('equal'),
        not_comparable: count('not_comparable'),
      },
      cases,
    }

    async function findNamed(named: string): Promise<EvaluationRow> {
      const found = await findEvaluation(db, workspaceId, named).catch(() => null)
      if (found === null || found.setId !== evaluation.setId)
        throw invalidField('?baseline_id', 'is not an evaluation with the same set', 'unknown_reference')
      return requireFinished(found)
    }

    async function findActive(): Promise<EvaluationRow> {
      const { agentId, setId } = evaluation
      const { version } = await findAgent(db, workspaceId, agentId)
      const found = await findLastFinished(db, workspaceId, { agentId, setId, version })
      if (found !== null) return found
      throw problem('conflict', {
        detail: `Version ${version}, the active one, has no finished evaluation with the set; name a \`baseline_id\``,
      })
    }
  })

function requireFinished(evaluation: EvaluationRow): EvaluationRow {
  if (evaluation.status !== 'finished')
    throw problem('conflict', {
      detail: `The evaluation ${evaluation.id} is ${evaluation.status}; only finished ones can be compared`,
    })
  return evaluation
}

export const cancelEvaluation: Operation<'cancelEvaluation'> = (context, caller, { params }) =>
  context.database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    await findEvaluation(tx.db, workspaceId, params.id)
    const job = await cancelJob(tx, { id: params.id, queue: evaluationQueue, workspaceId })
    await stopEvaluation(context, tx, job, 'cancelled')
    return readEvaluationView(tx.query, await findEvaluation(tx.db, workspaceId, params.id))
  })

export const deleteEvaluation: Operation<'deleteEvaluation'> = ({ database }, caller, { params: { id } }) =>
  database.transact(caller, async (tx) => {
    const { status } = await findEvaluation(tx.db, caller.workspaceId, id)
    if (status === 'queued' || status === 'running')
      throw problem('conflict', { detail: `The evaluation is ${status}; cancel it first` })
    await deleteEvaluationRow(tx.db, caller.workspaceId, id)
    return { id }
  })
