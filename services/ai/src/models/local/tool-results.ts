import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { parseToolResultText } from '../tool-result-text.ts'

/** A tool call of the run with its result. */
export interface ToolOutcome {
  tool: string
  input: unknown
  /** JSON; undefined if the call failed. */
  output: unknown
  /** The message of a failed or denied call. */
  failure: string | undefined
}

/** A data source, as `list_sources` describes it. */
export interface KnownSource {
  id: string
  name: string
  records: number
  fields: { name: string; type: string }[]
  /** True if the list leaves out some of its fields. */
  isCut: boolean
}

/** A record, as the tools return it, with the marker by which an answer cites it. */
export interface KnownRecord {
  id: string
  sourceId: string
  marker: string
  key: string
  title: string | undefined
  data: Record<string, unknown>
}

/** Returns the texts of the messages of the user, the oldest first. */
export const questionsOf = (prompt: LanguageModelV4Prompt): string[] =>
  prompt.flatMap((message) =>
    message.role === 'user'
      ? [message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')]
      : [],
  )

/** Returns the tool calls since the last message of the user, in order. */
export function outcomesOf(prompt: LanguageModelV4Prompt): ToolOutcome[] {
  const since = prompt.slice(prompt.findLastIndex(({ role }) => role === 'user') + 1)
  const inputs = new Map<string, unknown>()
  const outcomes: ToolOutcome[] = []
  for (const { role, content } of since) {
    if (role === 'system' || role === 'user') continue
    for (const part of content) {
      if (part.type === 'tool-call') inputs.set(part.toolCallId, part.input)
      if (part.type !== 'tool-result') continue
      // Runs write every result as text, failures too.
      const text = part.output.type === 'text' ? part.output.value : ''
      const result = resultOf(parseToolResultText(text))
      outcomes.push({ tool: part.toolName, input: inputs.get(part.toolCallId), ...result })
    }
  }
  return outcomes
}

/** Failed and denied calls are told to a model as `{error}` and `{denied, reason}`. */
function resultOf(value: unknown): Pick<ToolOutcome, 'output' | 'failure'> {
  if (memberOf(value, 'denied') === true)
    return { output: undefined, failure: `The call was denied: ${stringIn(value, 'reason')}` }
  const error = memberOf(value, 'error')
  const isFailure = typeof error === 'string' && Object.keys(value as object).length === 1 // an object: it has a member
  return isFailure ? { output: undefined, failure: error } : { output: value, failure: undefined }
}

/** Returns the sources that `list_sources` listed. */
export const sourcesOf = ({ output }: ToolOutcome): KnownSource[] =>
  arrayIn(output, 'sources').map((source) => ({
    id: stringIn(source, 'data_source_id'),
    name: stringIn(source, 'name'),
    records: Number(memberOf(source, 'record_count') ?? 0),
    isCut: memberOf(source, 'omitted_fields') !== undefined,
    fields: arrayIn(source, 'fields').map((field) => ({
      name: stringIn(field, 'name'),
      type: stringIn(field, 'type'),
    })),
  }))

/** Returns the records of the results of a tool, best first. */
export const recordsOf = (outcome: ToolOutcome): KnownRecord[] => {
  const listed = [...arrayIn(outcome.output, 'hits'), ...arrayIn(outcome.output, 'records')]
  const single = memberOf(outcome.output, 'record_id') === undefined ? [] : [outcome.output]
  return [...listed, ...single].map((record) => ({
    id: stringIn(record, 'record_id'),
    sourceId: stringIn(record, 'data_source_id'),
    marker: stringIn(record, 'cite_as'),
    key: stringIn(record, 'key'),
    title: stringIn(record, 'title') || undefined,
    data: objectOf(memberOf(record, 'data')),
  }))
}

/** Returns the member of an object; undefined of anything else. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

export const arrayIn = (value: unknown, name: string): unknown[] => {
  const member = memberOf(value, name)
  return Array.isArray(member) ? member : []
}

export const stringIn = (value: unknown, name: string): string => {
  const member = memberOf(value, name)
  return typeof member === 'string' ? member : ''
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
