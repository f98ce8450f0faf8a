import { Problem, problem, type WorkspaceCaller } from '@wp/contracts'
import { fitsQuota } from '@wp/database'
import { type Job, JobFailure } from '@wp/jobs'
import { validateInput } from '../agents/input-schema/input-schema.ts'
import type { Context } from '../context.ts'
import { callerOf } from '../runs/engine/run-session.ts'
import { agentRunQuota } from '../runs/queue.ts'
import { behaviourOf } from '../runs/run-input.ts'
import { startRun } from '../runs/start-run.ts'
import { findAgentVersion } from '../store/agents/agent-versions.ts'
import { findAgent } from '../store/agents/agents.ts'
import type { Control, Tx } from '../store/client.ts'
import {
  type EvaluationRow,
  findEvaluation,
  writeEvaluationEnd,
  writeEvaluationStart,
} from '../store/evaluations/evaluations.ts'
import {
  countCasesInProgress,
  countResults,
  findPendingResult,
  listResultsInProgress,
  type ResultRow,
  updateResult,
} from '../store/evaluations/results.ts'
import { settleResult } from './settle-result.ts'

/** Cases in progress at once: few, so that an evaluation leaves room for the other runs of its workspace. */
const maxInProgress = { ofEvaluation: 4, ofWorkspace: 8 }
/** Longest time until the end of a run is seen whose wake was missed. */
const waitMs = 1_000

/**
 * Brings an evaluation forward: takes over the runs that have ended, and starts the next ones. The runs go through the
 * queue of all runs, so they are shared fairly and survive crashes. Between the passes the job holds no slot.
 */
export async function runEvaluation(
  { database }: Pick<Context, 'database'>,
  job: Job,
  control: Control,
): Promise<void> {
  const caller = callerOf(control)
  const key = { workspaceId: caller.workspaceId, id: job.id }
  const evaluation = await database.read(caller, (db) => findEvaluation(db, key.workspaceId, key.id))
  await control.checkpoint(async (tx) => {
    await writeEvaluationStart(tx.query, key)
    return {}
  })
  const open = await database.read(caller, (_db, query) => listResultsInProgress(query, key))
  for (const result of open)
    await control.checkpoint(async (tx) => {
      await settleResult(tx, { caller, evaluation, result })
      return {}
    })
  const [counts] = await database.read(caller, (_db, query) => countResults(query, key.workspaceId, [key.id]))
  if (counts === undefined || counts.pending === 0)
    return control.finish((tx) => writeEvaluationEnd(tx.query, key, 'finished'))
  const usedTokens = counts.inputTokens + counts.outputTokens
  let start: StartOutcome = usedTokens >= evaluation.maxTokens ? 'spent' : 'started'
  while (start === 'started' && !control.signal.aborted)
    await control.checkpoint(async (tx) => {
      start = await startNextCase(tx, caller, evaluation, evaluation.maxTokens - usedTokens)
      return {}
    })
  const inProgress = await database.read(caller, (_db, query) => listResultsInProgress(query, key))
  if (start === 'spent' && inProgress.length === 0) throw spentFailure(evaluation)
  control.signal.throwIfAborted()
  await control.suspend(waitMs, async () => {})
}

type StartOutcome = 'started' | 'full' | 'spent'

/** @throws Problem `quota_exceeded` of the plan or the budget of the agent, `not_found` if the agent was deleted */
async function startNextCase(
  tx: Tx,
  caller: WorkspaceCaller,
  evaluation: EvaluationRow,
  maxTokens: number,
): Promise<StartOutcome> {
  const { workspaceId, id } = evaluation
  // Locks the queue of the workspace, so that the cases of several evaluations are counted one after another.
  if (!(await fitsQuota(tx.query, workspaceId, agentRunQuota))) return 'full'
  if ((await countCasesInProgress(tx.query, workspaceId)) >= maxInProgress.ofWorkspace) return 'full'
  if ((await listResultsInProgress(tx.query, evaluation)).length >= maxInProgress.ofEvaluation) return 'full'
  const result = await findPendingResult(tx.query, evaluation)
  if (result === undefined) return 'full'
  const agent = await findAgent(tx.db, workspaceId, evaluation.agentId)
  const version = await findAgentVersion(tx.db, workspaceId, evaluation.agentId, evaluation.version)
  if (version === null) throw problem('not_found')
  const invalid = inputError(version.content.inputSchema, result)
  if (invalid !== undefined) {
    await updateResult(tx.db, result, { status: 'finished', outcome: 'error', reason: invalid })
    return 'started'
  }
  const { input } = result
  const { id: runId } = await startRun(tx, caller, {
    agent: { agentId: agent.agentId, version: version.version, budget: agent.budget, autonomy: agent.autonomy },
    conversationId: null,
    evaluationId: id,
    input: {
      behaviour: behaviourOf(version.content),
      messages: [{ role: 'user', content: typeof input === 'string' ? input : JSON.stringify(input) }],
      shown: input,
      maxSteps,
      maxTokens,
      timeoutMs: evaluation.timeoutMs,
      isEvaluation: true,
    },
  })
  await updateResult(tx.db, result, { status: 'answering', runId, attempts: result.attempts + 1 })
  return 'started'
}

/** As of runs that state none. */
const maxSteps = 10

function inputError(schema: Parameters<typeof validateInput>[0], { input }: ResultRow): string | undefined {
  try {
    validateInput(schema, input)
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return `The version does not take the input: ${error.errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ')}`
  }
}

const spentFailure = ({ maxTokens }: EvaluationRow) =>
  new JobFailure({
    code: 'token_limit_reached',
    message: `The limit of ${maxTokens} tokens is used up; cases without a result remain`,
    retryable: false,
  })
