import { randomUUID } from 'node:crypto'
import { type Job, JobFailure, JobInterrupted } from '@wp/jobs'
import type { Context } from '../../context.ts'
import { loadHistory } from '../../conversations/load-history.ts'
import { modelRejected } from '../../models/model-failure.ts'
import { openModel } from '../../models/open-model.ts'
import { costOf } from '../../models/price.ts'
import type { Control } from '../../store/client.ts'
import { appendEvents } from '../../store/runs/run-events.ts'
import { writeStepBegin } from '../../store/runs/run-steps.ts'
import { beginAttempt, writeCallBegin, writeState } from '../../store/runs/runs.ts'
import { EventWriter } from '../../streams/event-writer.ts'
import { RecordMarkers } from '../../tools/record-markers.ts'
import { resolveTools } from '../../tools/resolve-tools.ts'
import { findSpentBudget, type SpentBudget } from '../budgets.ts'
import { endRun } from '../end-run.ts'
import type { RunInput } from '../run-input.ts'
import { callsClientTool, withClientTools } from './client-tools.ts'
import { runLimits } from './limits.ts'
import { recordCall, runModelStep, type StepEnd } from './model-step.ts'
import { finishOf } from './run-finish.ts'
import {
  callerOf,
  createRunSignals,
  interruptedFailure,
  type RunSession,
  stateToSave,
  writeAsAttempt,
} from './run-session.ts'
import { initialState, type RequestedCall, type RunState } from './run-state.ts'
import { beginOf, findTool, readLevel, runToolStep } from './tool-step.ts'

/** Time that a step in progress has to end when the process stops. Less than the grace of the job runner. */
const shutdownMs = 8_000
export const runnerGraceMs = 10_000

/**
 * Runs one attempt of a run: calls the model and the tools it asks for in turns, until the model answers without a
 * call. Every write names the attempt, so that one that was replaced changes nothing.
 * @throws JobFailure if the run fails; the reason of the job's signal if it is interrupted
 */
export async function executeRun(context: Context, job: Job, control: Control): Promise<void> {
  const session = await openSession(context, job, control)
  if (session === undefined) return
  try {
    await runSteps(context, session)
  } catch (error) {
    // What was streamed stays readable. If it cannot be written, the error that ends the run is still the first one.
    await session.events.flush().catch(() => {})
    throw error
  } finally {
    session.signals.release()
  }
}

/** Begins the attempt. Returns undefined if the run has ended. @throws JobFailure `run_interrupted` */
async function openSession(context: Context, job: Job, control: Control): Promise<RunSession | undefined> {
  const caller = callerOf(control)
  const run = { runId: job.id, workspaceId: caller.workspaceId, attempt: randomUUID() }
  const begun = await context.database.transact(caller, (tx) => beginAttempt(tx.query, run))
  if (begun === null) return undefined
  const input = job.input as RunInput // written by start-run.ts
  // The first event is written with the start of the run. With more but no state, an attempt has ended within a step.
  if (begun.state === null && begun.lastSeq > 1) throw interruptedFailure()
  const state = begun.state === null ? initialState() : (begun.state as RunState) // written by `suspend` and `saveState`
  const signals = createRunSignals({ job: control.signal, remainingMs: input.timeoutMs - state.usedMs, shutdownMs })
  try {
    const [{ model, price }, ownTools] = await Promise.all([
      openModel(context, input.behaviour.model, caller, { isNamedByAgent: begun.agentId !== null }),
      resolveTools(context, caller, input.behaviour.tools, {
        signal: signals.step,
        warn: (warning) => void state.warnings.push(warning),
      }),
    ])
    const tools = withClientTools(ownTools, input.clientTools)
    const events = new EventWriter({
      lastSeq: begun.lastSeq,
      signal: signals.step,
      write: (batch) => context.database.transact(caller, (tx) => appendEvents(tx.query, run, batch)),
      publish: (batch) => context.liveEvents.publish(job.id, batch),
    })
    const markers = new RecordMarkers(state.records)
    const { agentId, triggerId, conversationId } = begun
    const of = { agentId, triggerId, conversationId, context, job, control, caller, run }
    const shared = { ...of, input, state, markers, events, signals, model, price, tools }
    return { ...shared, history: [], historyInstructions: [], startedAt: performance.now() }
  } catch (error) {
    signals.release()
    throw error
  }
}

/** Adds the messages of the conversation before those of the run. The use of a model that summarizes them counts. */
async function addHistory(session: RunSession): Promise<void> {
  const { context, caller, input, model, signals, state, price, conversationId } = session
  if (conversationId === null) return
  const history = await loadHistory(context, caller, {
    conversationId,
    newMessages: input.messages.filter((message) => message.role !== 'exchange'),
    model,
    isLanguageModel: input.behaviour.model.provider !== 'local',
    signal: signals.step,
  })
  const { usage } = history
  if (usage !== null) {
    await writeAsAttempt(session, (query, run) => writeCallBegin(query, run, 0, price))
    await recordCall(session, { ...usage, costMicros: costOf(price, usage) })
  }
  if (state.step === 0) state.warnings.push(...history.warnings)
  session.history = history.messages
  session.historyInstructions = history.instructions
}

async function runSteps(context: Context, session: RunSession): Promise<void> {
  const { state, input, signals, control, events } = session
  let end: StepEnd | undefined
  let spent: SpentBudget | undefined
  let isHandedOver = false
  for (let isFirst = true; ; isFirst = false) {
    if (state.calls.length > 0) {
      const waiting = await runToolStep(session)
      if (waiting.length > 0) return suspend(session, waiting)
    }
    const reason = signals.boundaryReason()
    if (reason !== undefined) return saveState(session, reason)
    if (isFirst) {
      // Its budgets may have been used up while it was queued, or waited for an approval.
      spent = await readSpentBudget(context, session)
      if (spent !== undefined) break
      await addHistory(session)
    }
    const isLast = state.step + 1 >= input.maxSteps
    end = await runModelStep(session, !isLast).catch((error: unknown) =>
      error instanceof JobInterrupted ? saveState(session, error) : Promise.reject(error),
    )
    if (isLast || state.calls.length === 0) break
    isHandedOver = callsClientTool(session) && (await readLevel(session)) !== 'ask'
    if (isHandedOver) break
    spent = await readSpentBudget(context, session)
    if (spent !== undefined) break
  }
  if (spent?.isUnpriced === true && state.step === 0) throw modelRejected(spent.message)
  await events.flush()
  const { finishReason, warnings } = finishOf(end, { spent, isHandedOver, maxSteps: input.maxSteps })
  await control.finish(async (tx) => {
    const ending = { status: 'finished' as const, finishReason, warnings: [...state.warnings, ...warnings] }
    await endRun(tx, context.liveEvents, session.job, ending)
  })
}

/** Returns why the run must not go on. */
const readSpentBudget = ({ database }: Context, { caller, run, input, agentId, triggerId, price }: RunSession) =>
  database.read(caller, (_db, query) => {
    const { maxTokens, maxCost } = input
    return findSpentBudget(query, { ...run, agentId, triggerId, maxTokens, maxCost, price })
  })

/** Saves the state, so that another attempt continues. @throws the reason */
async function saveState(session: RunSession, reason: unknown): Promise<never> {
  const isLost = session.control.signal.aborted && isLoss(session.control.signal.reason)
  if (session.state.step > 0 && !(reason instanceof JobFailure) && !isLost) {
    await session.events.flush()
    await writeAsAttempt(session, (query, run) => writeState(query, run, stateToSave(session)))
  }
  throw reason
}

/** Lets the run wait for the approval of calls, without a worker. */
async function suspend(session: RunSession, waiting: readonly RequestedCall[]): Promise<void> {
  const { context, job, control, events, run } = session
  for (const { callId } of waiting)
    events.push({ type: 'tool-approval-request', approvalId: callId, toolCallId: callId })
  await events.flush()
  await control.suspend(runLimits.approvalMs, async (tx) => {
    // Without events: tells the waiting request of the client that the run waits.
    tx.afterCommit(() => context.liveEvents.publish(job.id, { firstSeq: events.lastSeq + 1, chunks: [] }))
    for (const call of waiting)
      await writeStepBegin(tx.query, run, { ...beginOf(session, call, findTool(session, call)), status: 'waiting' })
    await writeState(tx.query, run, stateToSave(session))
  })
}

const isLoss = (reason: unknown): boolean =>
  reason instanceof JobInterrupted && (reason.reason === 'cancelled' || reason.reason === 'lease_lost')
