import { LeaseLost } from '@wp/jobs'
import type { AssistantContent } from 'ai'
import { localProvider } from '../../models/local/local-model.ts'
import { costOf } from '../../models/price.ts'
import { estimateTokens } from '../../models/usage.ts'
import { type CallUsage, writeCallBegin, writeCallEnd } from '../../store/runs/runs.ts'
import { jsonBytes } from '../../tools/limit-output.ts'
import { reportTokens } from '../report-tokens.ts'
import { callModel, estimateInput, type ModelCallEnd, type ModelToolCall } from './call-model.ts'
import { runLimits } from './limits.ts'
import { buildPrompt } from './prompt.ts'
import { type RunSession, writeAsAttempt } from './run-session.ts'
import type { RequestedCall } from './run-state.ts'
import { StepText } from './step-text.ts'
import { findTool } from './tool-step.ts'

/** Thrown inside a model call to stop a model that writes too much. */
class OutputTooLong extends Error {}

/** The end of a model call, as far as it tells how the run ends. */
export interface StepEnd extends Pick<ModelCallEnd, 'finishReason' | 'rawFinishReason'> {
  /** True if the answer was ended by the limit of the platform. */
  isCutByLimit: boolean
  hasText: boolean
}

/**
 * Calls the model once: streams its text without markers that have no source, adds the message and the tool calls to
 * the state, and records the use, also of a call that fails.
 */
export async function runModelStep(session: RunSession, mayCallTools: boolean): Promise<StepEnd> {
  const { state, events, signals } = session
  const step = state.step + 1
  const text = new StepText(session, step)
  const stopping = new AbortController()
  const call = {
    model: session.model,
    settings: session.input.behaviour.model,
    ...buildPrompt(session),
    tools: session.tools,
    mayCallTools,
    signal: AbortSignal.any([signals.step, stopping.signal]),
    onText: async (delta: string) => {
      await text.push(delta)
      if (text.isTooLong) stopping.abort(new OutputTooLong())
    },
    onTextWasReasoning: () => text.restart(),
    onOtherOutput: (length: number) => text.addOther(length),
  }
  const isFree = session.model.provider === localProvider
  const inputTokens = isFree ? 0 : estimateInput(call)
  await writeAsAttempt(session, (query, run) => writeCallBegin(query, run, inputTokens, session.price))
  signals.setHasOutput(false)
  let end: ModelCallEnd | undefined
  try {
    end = await callModel(call)
  } catch (error) {
    if (!(stopping.signal.reason instanceof OutputTooLong) || signals.step.aborted) throw error
  }
  addModelWarnings(state, end?.warnings ?? [])
  text.end()
  state.step = step
  state.outputLength += text.length
  addToState(session, step, text.written, end?.calls ?? [])
  for (const requested of state.calls) events.push(inputChunk(session, requested))
  if (end !== undefined && end.calls.length === 0) text.pushCitations()
  events.push({ type: 'finish-step' })
  await events.flush()
  const usage = isFree ? noUsage : usageOf(end, { inputTokens, outputLength: text.totalLength })
  session.lastUsage = usage
  await recordCall(session, { ...usage, costMicros: costOf(session.price, usage) })
  const { finishReason = 'length', rawFinishReason } = end ?? {}
  return { finishReason, rawFinishReason, isCutByLimit: end === undefined, hasText: text.written.trim() !== '' }
}

/** The use of rules, which read no tokens. */
const noUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, isEstimated: false }

/** Returns the reported use; what is missing, or cannot be true of a call that wrote something, is estimated. */
function usageOf(end: ModelCallEnd | undefined, sent: { inputTokens: number; outputLength: number }) {
  const { inputTokens: input, outputTokens: reportedOutput, cachedTokens = 0 } = end?.usage ?? {}
  const output = reportedOutput === 0 && sent.outputLength > 0 ? undefined : reportedOutput
  return {
    inputTokens: input ?? sent.inputTokens,
    outputTokens: output ?? estimateTokens(sent.outputLength),
    cachedTokens: input === undefined ? 0 : cachedTokens,
    isEstimated: input === undefined || output === undefined,
  }
}

/** Writes the use of a call that has ended, and reports it: the limits of the plan count a long run as it goes. */
export async function recordCall(session: RunSession, usage: CallUsage): Promise<void> {
  const { context, caller, run, job, agentId } = session
  await context.database.transact(caller, async (tx) => {
    if (!(await writeCallEnd(tx.query, run, usage))) throw new LeaseLost('the run has another attempt or has ended')
    reportTokens(tx, job, agentId, usage)
  })
}

/** Each warning once in a run: a model may repeat them in every step. */
function addModelWarnings({ warnings }: RunSession['state'], messages: readonly string[]): void {
  for (const message of messages)
    if (!warnings.some((warning) => warning.message === message)) warnings.push({ code: 'model_warning', message })
}

/** Adds the message of the model and its tool calls, with identifiers that are unique in the run. */
function addToState({ state }: RunSession, step: number, text: string, calls: readonly ModelToolCall[]): void {
  state.calls = calls.map((call, index) => checkCall(call, `call_${step}_${index + 1}`, index))
  const content: AssistantContent = [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...state.calls.map(({ callId, tool, input }) => ({
      type: 'tool-call' as const,
      toolCallId: callId,
      toolName: tool,
      input,
    })),
  ]
  if (content.length > 0) state.messages.push({ role: 'assistant', content })
}

function checkCall({ tool, input, invalid }: ModelToolCall, callId: string, index: number): RequestedCall {
  if (invalid !== undefined) return { callId, tool, input, invalid }
  if (index >= runLimits.callsPerStep)
    return { callId, tool, input: {}, invalid: `At most ${runLimits.callsPerStep} tools can be called at once` }
  if (jsonBytes(input) > runLimits.callInputBytes)
    return { callId, tool, input: {}, invalid: `The input is longer than ${runLimits.callInputBytes} bytes` }
  return { callId, tool, input }
}

function inputChunk(session: RunSession, call: RequestedCall) {
  const { callId: toolCallId, tool: toolName, input, invalid } = call
  const { title } = findTool(session, call)?.integration ?? {}
  const common = { toolCallId, toolName, input, dynamic: true, ...(title === undefined ? {} : { title }) }
  return invalid === undefined
    ? { type: 'tool-input-available' as const, ...common }
    : { type: 'tool-input-error' as const, ...common, errorText: invalid }
}
