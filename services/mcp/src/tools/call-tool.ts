import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import {
  type EndpointDefinition,
  Problem,
  type PublicEndpoint,
  problemBody,
  type RequestOf,
  successStatusesOf,
} from '@wp/contracts'
import { callEndpoint, type Exchange } from '../call-endpoint.ts'
import type { Context } from '../context.ts'
import { fitPage, fitResource } from './fit-output.ts'
import type { ToolOutput } from './output-schema.ts'
import { splitArguments } from './split-arguments.ts'
import { type PlatformTool, pollingAdvice } from './tool-catalog.ts'

/**
 * Calls a tool: the endpoint that it stands for, as the caller. An error of the endpoint is a result with `isError` and
 * the problem as JSON, so that a language model can read and correct it.
 * @throws ProtocolError if there is no such tool
 */
export async function callTool(
  context: Context,
  exchange: Exchange,
  { name, arguments: given = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
): Promise<CallToolResult> {
  const tool = context.tools.get(name)
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`)
  try {
    const request = splitArguments(tool.definition, tool.tool, given)
    const output = await readOutput(context, exchange, tool, request)
    return { content: [textOf(output)], structuredContent: { ...output } }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.status >= 500)
      context.log.warn(
        { event: 'tool_call.failed', err: error.cause ?? error, tool: name, request_id: exchange.caller.requestId },
        'tool call failed',
      )
    return { isError: true, content: [textOf(describeProblem(error, context, exchange))] }
  }
}

const textOf = (value: unknown) => ({ type: 'text' as const, text: JSON.stringify(value) })

async function readOutput(
  context: Context,
  exchange: Exchange,
  { definition, tool }: PlatformTool,
  request: RequestOf<EndpointDefinition>,
): Promise<ToolOutput> {
  const call = (changed: RequestOf<EndpointDefinition>) =>
    callEndpoint<PublicEndpoint>(context, exchange, definition, changed)
  if (definition.list !== undefined) return fitPage(definition, request, call)
  const result: unknown = await call(request)
  // with several statuses the result names one; see `ResultWithStatus`
  const data = successStatusesOf(definition).length > 1 ? (result as { data: unknown }).data : result
  const output = fitResource(definition, data)
  if (tool.polledWith === undefined) return output
  return { ...output, notice: [pollingAdvice(tool.polledWith), output.notice].filter(Boolean).join(' ') }
}

/** Pointers of a problem name arguments: a query parameter is `?limit` in the API, and `/limit` here. */
function describeProblem(error: Problem, { config }: Context, { caller }: Exchange): Record<string, unknown> {
  const body = problemBody(error, config.PUBLIC_BASE_URL, caller.requestId)
  if (error.errors.length === 0) return body
  return { ...body, errors: error.errors.map((field) => ({ ...field, pointer: field.pointer.replace(/^\?/, '/') })) }
}
