import type { LanguageModelV4 } from '@ai-sdk/provider'
import { problem, type WorkspaceCaller } from '@wp/contracts'
import type { Query } from '@wp/database'
import { type InterruptionReason, type Job, JobFailure, type JobInterrupted, LeaseLost } from '@wp/jobs'
import type { Context } from '../../context.ts'
import type { ModelPrice } from '../../models/price.ts'
import type { Control } from '../../store/client.ts'
import type { RunAttempt } from '../../store/runs/runs.ts'
import type { EventWriter } from '../../streams/event-writer.ts'
import type { RecordMarkers } from '../../tools/record-markers.ts'
import type { AgentTool } from '../../tools/tool.ts'
import type { RunInput } from '../run-input.ts'
import type { RunState } from './run-state.ts'

/** One attempt at a run: what its parts share. */
export interface RunSession {
  context: Pick<Context, 'database' | 'log' | 'config' | 'liveEvents'>
  job: Job
  control: Control
  /** The caller of the run with its current scopes. */
  caller: WorkspaceCaller
  run: RunAttempt
  /** Whose budgets it uses. */
  agentId: string | null
  triggerId: string | null
  input: RunInput
  state: RunState
  markers: RecordMarkers
  events: EventWriter
  signals: RunSignals
  model: LanguageModelV4
  /** Null if the model has none. */
  price: ModelPrice | null
  tools: readonly AgentTool[]
  /** The conversation that it continues. */
  conversationId: string | null
  /** Messages before those of this run. */
  history: readonly { role: 'user' | 'assistant'; content: string }[]
  /** Instructions from the conversation: its system messages, and the summary of messages that are left out. */
  historyInstructions: readonly string[]
  /** `performance.now()` at the begin of the attempt. */
  startedAt: number
  /** The use of the last model call. */
  lastUsage?: { inputTokens: number; outputTokens: number; isEstimated: boolean }
}

/** Writes to the run as its attempt. @throws LeaseLost if it may no longer write */
export async function writeAsAttempt(
  { context, caller, run }: Pick<RunSession, 'context' | 'caller' | 'run'>,
  write: (query: Query, run: RunAttempt) => Promise<boolean>,
): Promise<void> {
  const isWritten = await context.database.transact(caller, (tx) => write(tx.query, run))
  if (!isWritten) throw new LeaseLost('the run has another attempt or has ended')
}

/** Returns the caller of a job; every run belongs to a workspace. */
export function callerOf({ caller }: Control): WorkspaceCaller {
  const { workspaceId } = caller
  if (workspaceId === null) throw problem('workspace_required')
  return { ...caller, workspaceId }
}

/** The state to save, with the records and the time of this attempt. */
export const stateToSave = ({ state, markers, startedAt }: RunSession): RunState => ({
  ...state,
  records: markers.records,
  usedMs: Math.round(state.usedMs + performance.now() - startedAt),
})

interface RunSignalsOptions {
  /** The signal of the job. */
  job: AbortSignal
  /** Time until the run fails `run_timeout`. */
  remainingMs: number
  /** Time that a step in progress has to end when the process stops. */
  shutdownMs: number
}

/** The signals of a run: whether it must stop at once, or at the next boundary between two steps. */
interface RunSignals {
  /** Aborted when the step in progress must end: with a JobInterrupted, or with a JobFailure. */
  readonly step: AbortSignal
  /** The reason to stop before the next step, if there is one. */
  boundaryReason(): unknown
  /** Tells whether the model call in progress has output; one without is repeated elsewhere and stops at once. */
  setHasOutput(hasOutput: boolean): void
  release(): void
}

/**
 * Derives the signals of a run from that of its job. A cancelled run, or one whose lease is lost, stops at once. When
 * the process stops or the slot is needed, a model call that has begun to answer may end its step.
 */
export function createRunSignals({ job, remainingMs, shutdownMs }: RunSignalsOptions): RunSignals {
  const step = new AbortController()
  let hasOutput = false
  let graceTimer: NodeJS.Timeout | undefined
  const timeout = setTimeout(() => step.abort(timeoutFailure()), remainingMs)
  const reasonOf = (): InterruptionReason | undefined =>
    job.aborted ? (job.reason as JobInterrupted).reason : undefined // the runner aborts with nothing else

  function update(): void {
    const reason = reasonOf()
    if (reason === undefined) return
    const mayEndStep = hasOutput && (reason === 'shutdown' || reason === 'preempted')
    if (!mayEndStep) step.abort(job.reason)
    else if (reason === 'shutdown') graceTimer ??= setTimeout(() => step.abort(interruptedFailure()), shutdownMs)
  }

  job.addEventListener('abort', update)
  update()
  return {
    step: step.signal,
    boundaryReason: () => (step.signal.aborted ? step.signal.reason : job.aborted ? job.reason : undefined),
    setHasOutput(value) {
      hasOutput = value
      update()
    },
    release() {
      clearTimeout(timeout)
      clearTimeout(graceTimer)
      job.removeEventListener('abort', update)
    },
  }
}

const timeoutFailure = () =>
  new JobFailure({ code: 'run_timeout', message: 'The run did not end within its `timeout_ms`', retryable: true })

/** The failure of a run that had begun to answer. */
export const interruptedFailure = () =>
  new JobFailure({
    code: 'run_interrupted',
    message: 'The run was interrupted after it had begun to answer',
    retryable: true,
  })
