import type { LanguageModelV4 } from '@ai-sdk/provider'
import { problem, type WorkspaceCaller } from '@wp/contracts'
import type { Query } from '@wp/database'
import { type Job, LeaseLost } from '@wp/jobs'
import type { Context } from '../../context.ts'
import type { ModelPrice } from '../../models/price.ts'
import type { Control } from '../../store/client.ts'
import type { RunAttempt } from '../../store/runs/runs.ts'
import type { EventWriter } from '../../streams/event-writer.ts'
import type { RecordMarkers } from '../../tools/record-markers.ts'
import type { AgentTool } from '../../tools/tool.ts'
import type { RunInput } from '../run-input.ts'
import type { RunSignals } from './run-signals.ts'
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
