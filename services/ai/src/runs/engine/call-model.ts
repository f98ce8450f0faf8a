import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Model } from '@wp/contracts'
import { type CallWarning, type FinishReason, jsonSchema, type ModelMessage, streamText, tool } from 'ai'
import { ReasoningSplitter, type WrittenPart } from '../../models/split-reasoning.ts'
import { estimateTokens } from '../../models/usage.ts'
import { isTooDeep, storableJson, storableText } from '../../store/storable-json.ts'
import type { AgentTool } from '../../tools/tool.ts'

export interface ModelCall {
  model: LanguageModelV4
  settings: Model
  instructions: string
  messages: ModelMessage[]
  tools: readonly AgentTool[]
  /** False for the last call of a run, whose tool calls could not be answered. */
  mayCallTools: boolean
  signal: AbortSignal
  /** Receives the text while it is written, without reasoning. */
  onText(delta: string): Promise<void>
  /** Called if the text so far turns out to be reasoning. */
  onTextWasReasoning(): void
  /** Receives the number of characters of other output: reasoning and inputs of tools. */
  onOtherOutput(length: number): void
}

/** A tool call as the model wrote it. */
export interface ModelToolCall {
  tool: string
  input: unknown
  /** Set if the tool does not exist, or the input is no JSON or cannot be stored. */
  invalid?: string
}

/** The end of a model call. */
export interface ModelCallEnd {
  calls: ModelToolCall[]
  finishReason: FinishReason
  /** The reason as the provider named it. */
  rawFinishReason: string | undefined
  /** Undefined if the provider does not report it. */
  usage: { inputTokens: number | undefined; outputTokens: number | undefined; cachedTokens?: number | undefined }
  /** Warnings of the model about itself and the call, such as a setting that it ignores. */
  warnings: string[]
}

/**
 * Calls the model once and streams its text. Tools are not called here.
 * @throws whatever the model throws; the reason of the signal
 */
export async function callModel(call: ModelCall): Promise<ModelCallEnd> {
  const { model, settings, instructions, messages, tools, mayCallTools, signal } = call
  const result = streamText({
    model,
    instructions,
    messages,
    tools: Object.fromEntries(
      tools.map(({ name, description, inputSchema }) => [
        name,
        tool({ description, inputSchema: jsonSchema(inputSchema) }),
      ]),
    ),
    toolChoice: mayCallTools ? 'auto' : 'none',
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...(settings.max_output_tokens === undefined ? {} : { maxOutputTokens: settings.max_output_tokens }),
    abortSignal: signal,
    maxRetries: 0,
    // The error is thrown below; by default the SDK prints it.
    onError: () => {},
  })
  const end: ModelCallEnd = {
    calls: [],
    finishReason: 'other',
    rawFinishReason: undefined,
    usage: { inputTokens: undefined, outputTokens: undefined },
    warnings: [],
  }
  const splitter = new ReasoningSplitter()
  const write = async (parts: readonly WrittenPart[]) => {
    for (const part of parts)
      if (part.type === 'text') await call.onText(part.text)
      else if (part.type === 'reasoning') call.onOtherOutput(part.text.length)
      else call.onTextWasReasoning()
  }
  let callsForbiddenTool = false
  for await (const part of result.stream) {
    signal.throwIfAborted()
    if (part.type === 'start-step') end.warnings.push(...part.warnings.map(warningText))
    if (part.type === 'text-delta') await write(splitter.push(part.text))
    if (part.type === 'reasoning-delta') call.onOtherOutput(part.text.length)
    if (part.type === 'tool-input-delta') call.onOtherOutput(part.delta.length)
    if (part.type === 'tool-call') end.calls.push(toToolCall(part))
    if (part.type === 'error') {
      if (!isToolChoiceViolation(part.error)) throw part.error
      callsForbiddenTool = true
    }
    if (part.type === 'finish-step') {
      end.finishReason = part.finishReason
      end.rawFinishReason = part.rawFinishReason
      const { inputTokens, outputTokens, inputTokenDetails } = part.usage
      end.usage = { inputTokens, outputTokens, cachedTokens: inputTokenDetails.cacheReadTokens }
    }
  }
  signal.throwIfAborted()
  await write(splitter.end())
  return callsForbiddenTool ? { ...end, calls: [], finishReason: 'tool-calls' } : end
}

function warningText(warning: CallWarning): string {
  if (warning.type === 'other' || warning.type === 'deprecated') return storableText(warning.message)
  const { feature, details } = warning
  return `The model does not fully support ${feature}${details === undefined ? '' : `: ${details}`}`
}

const maxToolName = 64
const tooDeep = 'The input is nested too deeply'

/** A model that calls tools although it may not has still answered; the calls are not made. */
const isToolChoiceViolation = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AI_ToolChoiceViolationError'

function toToolCall(part: {
  toolName: string
  input: unknown
  invalid?: boolean | undefined
  error?: unknown
}): ModelToolCall {
  const { toolName, input, invalid, error } = part
  const tool = storableText(toolName).slice(0, maxToolName)
  if (invalid !== true)
    return isTooDeep(input) ? { tool, input: {}, invalid: tooDeep } : { tool, input: storableJson(input) }
  const reason =
    error instanceof Error && error.name === 'AI_NoSuchToolError'
      ? 'This tool does not exist'
      : 'The input is no valid JSON'
  return { tool, input: {}, invalid: reason }
}

/** Estimates the input of a model call in tokens. */
export const estimateInput = ({
  instructions,
  messages,
  tools,
}: Pick<ModelCall, 'instructions' | 'messages' | 'tools'>) =>
  estimateTokens(
    instructions.length +
      JSON.stringify(messages).length +
      JSON.stringify(tools.map(({ name, description, inputSchema }) => [name, description, inputSchema])).length,
  )
