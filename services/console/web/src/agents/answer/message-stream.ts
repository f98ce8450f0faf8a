import type { Citation, StepStatus, Usage } from '@wp/contracts'

/** A chunk of the UI message stream protocol of the AI SDK. Other members depend on the type. */
export interface Chunk {
  type: string
  [member: string]: unknown
}

/** `waiting`: for an approval. `cancelled`: not made. `interrupted`: the run ended before its result was known. */
export type ToolCallStatus = StepStatus

/** A call of a tool. */
export interface ToolCall {
  id: string
  tool: string
  /** The effect in words, of a tool of an integration. */
  title: string | null
  input: unknown
  output: unknown
  status: ToolCallStatus
  error: string | null
  /** Known of stored runs only. */
  durationMs: number | null
}

/** A part of an answer, in the order in which they came. */
export type AnswerPart = { type: 'text'; id: string; text: string } | { type: 'tool'; call: ToolCall }

/** The answer of a run, as far as its events have arrived. */
export interface Answer {
  runId: string | undefined
  parts: readonly AnswerPart[]
  citations: readonly Citation[]
  status: 'running' | 'finished' | 'failed' | 'cancelled'
  /** The code and the message of a failed run. */
  error: { code: string; message: string } | undefined
  usage: Usage | undefined
}

/** An answer without events. */
export const emptyAnswer: Answer = {
  runId: undefined,
  parts: [],
  citations: [],
  status: 'running',
  error: undefined,
  usage: undefined,
}

/** Adds a chunk to an answer. Chunks of unknown types change nothing: the protocol may grow. */
export function applyChunk(answer: Answer, chunk: Chunk): Answer {
  switch (chunk.type) {
    case 'start':
      return { ...answer, runId: textOf(chunk.messageId) }
    case 'text-start':
      return withPart(answer, { type: 'text', id: textOf(chunk.id), text: '' })
    case 'text-delta':
      return appendText(answer, textOf(chunk.id), textOf(chunk.delta))
    case 'tool-input-available':
    case 'tool-input-error':
      return withPart(answer, { type: 'tool', call: newCall(chunk) })
    case 'tool-approval-request':
      return updateCall(answer, chunk, { status: 'waiting' })
    case 'tool-output-available':
      return updateCall(answer, chunk, { status: 'finished', output: chunk.output })
    case 'tool-output-error':
      return updateCall(answer, chunk, { status: 'failed', error: textOf(chunk.errorText) })
    case 'tool-output-denied':
      return updateCall(answer, chunk, { status: 'denied' })
    case 'data-citation':
      return { ...answer, citations: addCitation(answer.citations, chunk.data as Citation) } // declared by the API
    case 'finish':
      return { ...answer, status: 'finished', usage: usageOf(chunk.messageMetadata) }
    case 'error':
      return { ...endCalls(answer), status: 'failed', error: readError(textOf(chunk.errorText)) }
    case 'abort':
      return { ...endCalls(answer), status: 'cancelled' }
    default:
      return answer
  }
}

/** Records the decision on a call that waits for it. The stream confirms it only by the result of the call. */
export const decideCall = (answer: Answer, callId: string, isApproved: boolean): Answer =>
  mapCalls(answer, (call) =>
    call.id === callId && call.status === 'waiting' ? { ...call, status: isApproved ? 'running' : 'denied' } : call,
  )

/** Returns the text of an answer without its tool calls. */
export const textOfAnswer = ({ parts }: Answer): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

/** Returns true if the run waits for the decision of a person. */
export const isWaiting = ({ parts, status }: Answer): boolean =>
  status === 'running' && parts.some((part) => part.type === 'tool' && part.call.status === 'waiting')

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const withPart = (answer: Answer, part: AnswerPart): Answer => ({ ...answer, parts: [...answer.parts, part] })

const newCall = ({ type, toolCallId, toolName, title, input, errorText }: Chunk): ToolCall => ({
  id: textOf(toolCallId),
  tool: textOf(toolName),
  title: typeof title === 'string' ? title : null,
  input,
  output: null,
  status: type === 'tool-input-error' ? 'failed' : 'running',
  error: type === 'tool-input-error' ? textOf(errorText) : null,
  durationMs: null,
})

/** A text part belongs to the last part with its id: ids may be used again in a later step. */
function appendText(answer: Answer, id: string, delta: string): Answer {
  const index = answer.parts.findLastIndex((part) => part.type === 'text' && part.id === id)
  const part = answer.parts[index]
  if (part?.type !== 'text') return withPart(answer, { type: 'text', id, text: delta })
  return { ...answer, parts: answer.parts.with(index, { ...part, text: part.text + delta }) }
}

const mapCalls = (answer: Answer, change: (call: ToolCall) => ToolCall): Answer => ({
  ...answer,
  parts: answer.parts.map((part) => (part.type === 'tool' ? { ...part, call: change(part.call) } : part)),
})

const updateCall = (answer: Answer, { toolCallId }: Chunk, change: Partial<ToolCall>): Answer =>
  mapCalls(answer, (call) => (call.id === toolCallId ? { ...call, ...change } : call))

/** A run that has failed or was cancelled reports no results of its open calls, and makes none that wait. */
const endCalls = (answer: Answer): Answer =>
  mapCalls(answer, (call) => {
    if (call.status === 'waiting') return { ...call, status: 'cancelled' }
    return call.status === 'running' ? { ...call, status: 'interrupted' } : call
  })

const addCitation = (citations: readonly Citation[], citation: Citation): readonly Citation[] =>
  [...citations.filter(({ index }) => index !== citation.index), citation].toSorted(
    (left, right) => left.index - right.index,
  )

const usageOf = (metadata: unknown): Usage | undefined =>
  typeof metadata === 'object' && metadata !== null && 'usage' in metadata
    ? (metadata.usage as Usage) // declared by the API
    : undefined

/** The API sends `<code>: <message>`. */
function readError(text: string): { code: string; message: string } {
  const [, code, message] = /^([a-z_]+): (.+)$/s.exec(text) ?? []
  return code === undefined || message === undefined ? { code: 'unknown', message: text } : { code, message }
}
