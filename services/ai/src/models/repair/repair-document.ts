import { boundedRecord } from '@wp/contracts'
import { z } from 'zod'
import { readReportedUsage } from '../usage/reported-usage.ts'
import { createToolCallRepair } from './repair-tool-calls.ts'

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
    if (error !== undefined) return { error: { message: secret === undefined ? error : error.replaceAll(secret, '…') } }
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
