import { boundedRecord } from '@wp/contracts'
import { redactIntegrationSecrets } from '@wp/outbound'
import { z } from 'zod'
import { readReportedUsage } from '../usage.ts'

/** A tool call, or a part of one in a chunk, as servers send it. */
const WireCall = z.looseObject({
  index: z.number().nullish().catch(undefined),
  id: z.string().nullish().catch(undefined),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.unknown() }),
})

/** Returns a document of a response, a whole completion or a chunk of a stream, in the shape of OpenAI's API. */
export type RepairDocument = (document: unknown) => unknown

/** More members than any object of a response has. */
const maxMembers = 100
const Fields = boundedRecord(z.string(), z.unknown(), maxMembers)
const fieldsOf = (value: unknown): Record<string, unknown> | undefined => Fields.safeParse(value).data

/** Reasons for the end of an answer under other names: those of Gemini, Anthropic, Mistral and Cohere. */
const finishReasons: ReadonlyMap<string, string> = new Map(
  Object.entries({
    stop: ['end_turn', 'stop_sequence', 'complete'],
    length: ['max_tokens', 'model_length', 'max_length'],
    content_filter: ['safety', 'recitation', 'blocklist', 'prohibited_content', 'spii', 'refusal', 'content_filtered'],
    tool_calls: ['tool_use', 'tool_call'],
  }).flatMap(([reason, names]) => [reason, ...names].map((name) => [name, reason] as const)),
)

/** Creates the repair of one response: the tool calls of its chunks belong together. */
export function createDocumentRepair(secret: string | undefined): RepairDocument {
  const repairToolCalls = createToolCallRepair()

  function repairMessage(message: unknown): unknown {
    const fields = fieldsOf(message)
    if (fields === undefined) return message
    // The only role that an answer can have; some servers name it otherwise.
    const { role: _, function_call: legacyCall, tool_calls: calls, ...others } = fields
    if (Array.isArray(calls)) return { ...others, tool_calls: repairToolCalls(calls) }
    // The interface before tool calls had one call, in a member of its own.
    return legacyCall === undefined || legacyCall === null
      ? others
      : { ...others, tool_calls: repairToolCalls([{ index: 0, function: legacyCall }]) }
  }

  function repairChoice(choice: unknown): unknown {
    const fields = fieldsOf(choice)
    if (fields === undefined) return choice
    const { delta, message, finish_reason: reason, ...others } = fields
    return {
      ...others,
      ...(delta === undefined ? {} : { delta: repairMessage(delta) }),
      ...(message === undefined ? {} : { message: repairMessage(message) }),
      // Some servers send an empty reason with every chunk: an answer that breaks off has not ended.
      ...(typeof reason === 'string' && reason !== ''
        ? { finish_reason: finishReasons.get(reason.toLowerCase()) ?? reason }
        : {}),
    }
  }

  return (document) => {
    const fields = fieldsOf(document)
    // A list of models is no answer.
    if (fields === undefined || 'data' in fields) return document
    const error = errorMessageOf(fields)
    if (error !== undefined)
      return { error: { message: secret === undefined ? error : redactIntegrationSecrets([secret])(error) } }
    const { choices, usage, ...others } = fields
    return {
      ...others,
      // The chunk that reports the use has none.
      choices: Array.isArray(choices) ? choices.filter(isFirstChoice).map(repairChoice) : (choices ?? []),
      ...(usage === undefined ? {} : { usage: readReportedUsage(usage) }),
    }
  }
}

/** One choice is requested: the text of another one must not become part of the answer. */
const isFirstChoice = (choice: unknown): boolean => (fieldsOf(choice)?.index ?? 0) === 0

/**
 * Returns the message of an error in a response of status 200: `error` as an object or a text, also beside choices, as
 * OpenRouter ends a stream; `object: "error"` of vLLM; a choice that ended with `error`.
 */
function errorMessageOf(fields: Record<string, unknown>): string | undefined {
  const { error, object, message, detail, choices } = fields
  const own = fieldsOf(error)
  if (own !== undefined) return textOf(own.message) ?? textOf(own.code) ?? 'no message'
  if (typeof error === 'string' && error !== '') return textOf(message) ?? error
  if (object === 'error') return textOf(message) ?? 'no message'
  if (choices === undefined && detail !== undefined) return textOf(detail) ?? JSON.stringify(detail).slice(0, 300)
  const hasFailed = Array.isArray(choices) && choices.some((choice) => fieldsOf(choice)?.finish_reason === 'error')
  return hasFailed ? 'the answer ended with an error' : undefined
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

type WireCall = z.output<typeof WireCall>

interface OpenCall {
  wireIndex: number | undefined
  wireId: string | undefined
  name: string
  /** The arguments so far. */
  text: string
}

/**
 * Creates a function that gives each tool call of a response an index and an identifier of its own, and its arguments
 * as text. Servers leave out the index or the identifier, repeat both for parallel calls, and send the name again with
 * each part: taken literally, two calls become one, and the second is lost.
 */
function createToolCallRepair(): (calls: readonly unknown[]) => unknown[] {
  const open: OpenCall[] = []
  const ids = new Set<string>()

  function repair(value: unknown): unknown {
    const parsed = WireCall.safeParse(value)
    if (!parsed.success) return value
    const { data: call } = parsed
    const name = call.function.name?.trim() || undefined
    const text = argumentsOf(call.function.arguments)
    const found = findOpen(call, name)
    const { id: _, index: __, ...others } = call
    if (found !== undefined) {
      found.text += text
      return { ...others, index: open.indexOf(found), function: { arguments: text } }
    }
    // Without a name it is no call; the SDK says so.
    if (name === undefined) return value
    open.push({ wireIndex: call.index ?? undefined, wireId: call.id || undefined, name, text })
    const index = open.length - 1
    const id = call.id && !ids.has(call.id) ? call.id : `call_part_${index}`
    ids.add(id)
    return { ...others, index, id, function: { ...call.function, name, arguments: text } }
  }

  /** Returns the call that a part continues; undefined if it begins another. */
  function findOpen(call: WireCall, name: string | undefined): OpenCall | undefined {
    const { index, id } = { index: call.index ?? undefined, id: call.id || undefined }
    const sameIndex = ({ wireIndex }: OpenCall) => wireIndex === index
    const sameId = ({ wireId }: OpenCall) => wireId === id
    const last = index !== undefined ? open.findLast(sameIndex) : id !== undefined ? open.findLast(sameId) : open.at(-1)
    if (name === undefined) return last ?? open.findLast(sameId) ?? open.at(-1)
    if (last === undefined) return undefined
    const isAnother = name !== last.name || (id !== undefined && last.wireId !== undefined && id !== last.wireId)
    return isAnother || isJson(last.text) ? undefined : last
  }

  return (calls) => calls.map(repair)
}

const argumentsOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
