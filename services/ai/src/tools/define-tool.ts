import { Problem, type Scope, validateInput, withoutAbsentNulls } from '@wp/contracts'
import { z } from 'zod'
import { storableJson } from '../store/storable-json.ts'
import { limitOutput } from './limit-output.ts'
import { type AgentTool, type ToolCall, ToolFailure, type ToolResult, uncertainEffect } from './tool.ts'

/** Time and size limits that most tools have. */
const defaultTimeoutMs = 30_000
const defaultMaxOutputBytes = 32_768

interface ToolOptions<Input extends z.ZodObject> {
  name: string
  description: string
  input: Input
  requiredScopes: readonly Scope[]
  integration?: NonNullable<AgentTool['integration']>
  effectOf?: AgentTool['effectOf']
  isRepeatable?: boolean
  timeoutMs?: number
  maxOutputBytes?: number
  run(input: z.output<Input>, call: ToolCall): Promise<ToolResult>
}

/** Creates a tool whose input has a declared shape. Repeatable and harmless unless it says otherwise. */
export const defineTool = <Input extends z.ZodObject>({ input: shape, run, ...options }: ToolOptions<Input>) =>
  limitTool({
    effectOf: () => 'harmless',
    isRepeatable: true,
    timeoutMs: defaultTimeoutMs,
    maxOutputBytes: defaultMaxOutputBytes,
    ...options,
    inputSchema: inputSchemaOf(shape),
    async run(given, call) {
      const parsed = validateInput(shape, withoutAbsentNulls(shape, given))
      if (parsed.success) return run(parsed.data, call)
      throw new ToolFailure(
        `The input is not valid: ${parsed.errors.map(({ pointer, detail }) => `${pointer || 'it'} ${detail}`).join('; ')}`,
      )
    },
  })

/**
 * Adds the checks that every tool has: scopes, time limit, size of the output, and errors that a model can read. What a
 * stranger returned is cleaned here, before anything reads or stores it.
 */
export function limitTool({ maxOutputBytes, ...tool }: AgentTool & { maxOutputBytes: number }): AgentTool {
  return {
    ...tool,
    async run(input, call) {
      requireScopes(tool, call)
      const timeout = AbortSignal.timeout(tool.timeoutMs)
      const signal = AbortSignal.any([call.signal, timeout])
      try {
        const result = await untilAborted(tool.run(input, { ...call, signal }), signal)
        return { ...result, output: limitOutput(storableJson(result.output), maxOutputBytes) }
      } catch (error) {
        call.signal.throwIfAborted()
        if (timeout.aborted) throw timeoutFailure(tool)
        throw toToolFailure(error)
      }
    },
  }
}

function timeoutFailure({ name, timeoutMs, isRepeatable }: AgentTool): ToolFailure {
  const message = `${name} did not end within ${timeoutMs / 1000} seconds`
  return new ToolFailure(isRepeatable ? message : `${message}. ${uncertainEffect}`)
}

function requireScopes({ name, requiredScopes }: AgentTool, { caller }: ToolCall): void {
  const missing = requiredScopes.filter((scope) => !caller.scopes.includes(scope))
  if (missing.length === 0) return
  throw new ToolFailure(
    `${name} requires the scope ${missing.join(' and ')}, which the caller of this run does not have`,
  )
}

/** Rejects when the signal is aborted, also if the work goes on. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * Converts an error response of a service to a failure that a model can read. Other errors are returned as they are.
 */
function toToolFailure(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  const fields = error.errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ')
  return new ToolFailure(fields === '' ? error.detail : `${error.title}: ${fields}`, { cause: error })
}

/** Returns the JSON Schema of an input, without the members that a model does not need. */
function inputSchemaOf(shape: z.ZodObject): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, { io: 'input', target: 'draft-2020-12' })
  return schema
}
