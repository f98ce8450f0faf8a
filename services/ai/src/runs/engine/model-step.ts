import type { AssistantContent, ModelMessage } from 'ai'
import { estimateTokens } from '../../models/estimate-tokens.ts'
import { writeCallBegin, writeCallEnd } from '../../store/runs/runs.ts'
import { jsonBytes } from '../../tools/limit-output.ts'
import { callModel, estimateInput, type ModelCallEnd, type ModelToolCall } from './call-model.ts'
import { buildInstructions } from './instructions.ts'
import { runLimits } from './limits.ts'
import { MarkerFilter } from './marker-filter.ts'
import { type RunSession, writeAsAttempt } from './run-session.ts'
import type { RequestedCall } from './run-state.ts'

/** Thrown inside a model call to stop a model that writes too much. */
class OutputTooLong extends Error {}

/**
 * Calls the model once: streams its text without markers that have no source, adds the message and the tool calls to
 * the state, and records the use, also of a call that fails.
 * @returns the finish reason
 */
export async function runModelStep(session: RunSession, mayCallTools: boolean): Promise<string> {
  const { state, events, signals } = session
  const step = state.step + 1
  const text = new StepText(session, step)
  const stopping = new AbortController()
  const call = {
    model: session.model,
    settings: session.input.behaviour.model,
    instructions: buildInstructions(session.input, session.historyInstructions),
    messages: promptMessages(session),
    tools: session.tools,
    mayCallTools,
    signal: AbortSignal.any([signals.step, stopping.signal]),
    onText: async (delta: string) => {
      await text.push(delta)
      if (text.isTooLong) stopping.abort(new OutputTooLong())
    },
    onOtherOutput: (length: number) => text.addOther(length),
  }
  const inputTokens = estimateInput(call)
  await writeAsAttempt(session, (query, run) => writeCallBegin(query, run, inputTokens))
  signals.setHasOutput(false)
  let end: ModelCallEnd | undefined
  try {
    end = await callModel(call)
  } catch (error) {
    if (!(stopping.signal.reason instanceof OutputTooLong) || signals.step.aborted) throw error
    state.warnings.push({
      code: 'output_truncated',
      message: `The answer was ended after ${runLimits.outputLength} characters`,
    })
  }
  addModelWarnings(state, end?.warnings ?? [])
  text.end()
  state.step = step
  state.outputLength += text.length
  addToState(session, step, text.written, end?.calls ?? [])
  for (const requested of state.calls) events.push(inputChunk(requested))
  if (end !== undefined && end.calls.length === 0) text.pushCitations()
  events.push({ type: 'finish-step' })
  await events.flush()
  const reported = end?.usage
  const usage = {
    inputTokens: reported?.inputTokens ?? inputTokens,
    outputTokens: reported?.outputTokens ?? estimateTokens(text.totalLength),
    isEstimated: reported?.inputTokens === undefined || reported.outputTokens === undefined,
  }
  session.lastUsage = usage
  await writeAsAttempt(session, (query, run) => writeCallEnd(query, run, usage))
  return end?.finishReason ?? 'length'
}

/** Each warning once in a run: a model may repeat them in every step. */
function addModelWarnings({ warnings }: RunSession['state'], messages: readonly string[]): void {
  for (const message of messages)
    if (!warnings.some((warning) => warning.message === message)) warnings.push({ code: 'model_warning', message })
}

/** The text of one step while it is written. */
class StepText {
  readonly #session: RunSession
  readonly #step: number
  readonly #filter: MarkerFilter
  #hasBegun = false
  #isOpen = false
  #unwritten = 0
  written = ''
  length = 0
  totalLength = 0

  constructor(session: RunSession, step: number) {
    const records = session.markers.records
    this.#session = session
    this.#step = step
    this.#filter = new MarkerFilter((index) => index >= 1 && index <= records.length)
  }

  get isTooLong(): boolean {
    return this.#session.state.outputLength + this.length > runLimits.outputLength
  }

  async push(delta: string): Promise<void> {
    this.length += delta.length
    this.addOther(delta.length)
    this.#write(this.#filter.push(delta))
    await this.#session.events.drain()
  }

  /** Counts output that is not shown. */
  addOther(length: number): void {
    this.totalLength += length
    this.#unwritten += length
    this.begin()
  }

  begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#session.signals.setHasOutput(true)
    this.#session.events.push({ type: 'start-step' })
  }

  end(): void {
    this.begin()
    this.#write(this.#filter.end())
    if (this.#isOpen) this.#session.events.push({ type: 'text-end', id: this.#id })
  }

  /** Writes the records that the text cites. */
  pushCitations(): void {
    const records = this.#session.markers.records
    for (const index of this.#filter.cited) {
      const record = records[index - 1]
      if (record !== undefined)
        this.#session.events.push({ type: 'data-citation', id: `citation-${index}`, data: record })
    }
  }

  get #id(): string {
    return `text-${this.#step}`
  }

  #write(delta: string): void {
    if (delta === '') return
    if (!this.#isOpen) this.#session.events.push({ type: 'text-start', id: this.#id })
    this.#isOpen = true
    this.written += delta
    this.#session.events.push({ type: 'text-delta', id: this.#id, delta }, this.#unwritten)
    this.#unwritten = 0
  }
}

function promptMessages({ history, input, state }: RunSession): ModelMessage[] {
  const given = input.messages.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }]))
  return [...history, ...given, ...state.messages]
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

const inputChunk = ({ callId, tool, input, invalid }: RequestedCall) =>
  invalid === undefined
    ? { type: 'tool-input-available' as const, toolCallId: callId, toolName: tool, input, dynamic: true }
    : {
        type: 'tool-input-error' as const,
        toolCallId: callId,
        toolName: tool,
        input,
        dynamic: true,
        errorText: invalid,
      }
