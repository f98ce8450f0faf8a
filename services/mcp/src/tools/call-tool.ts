import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import {
  bodyPointer,
  type EndpointDefinition,
  type FieldError,
  Problem,
  type PublicEndpoint,
  problemBody,
  type RequestOf,
  successStatusesOf,
  type ToolDefinition,
  validateInput,
  validationProblem,
  withoutAbsentNulls,
} from '@wp/contracts'
import { callEndpoint, type Exchange } from '../call-endpoint.ts'
import type { Context } from '../context.ts'
import { fitPage, fitResource } from './fit-output.ts'
import type { ToolOutput } from './output-schema.ts'
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

type Arguments = Readonly<Record<string, unknown>>

/**
 * Divides the arguments of a tool into the path parameters, the query and the body of its endpoint. Values are
 * validated by the service that serves the endpoint, as those of any request; here only what such a request could not
 * express. A null for an argument that does not accept it is absent.
 * @throws Problem `validation_failed`, with pointers into the arguments
 */
function splitArguments(
  definition: EndpointDefinition,
  { fixed = {} }: ToolDefinition,
  given: Arguments,
): RequestOf<EndpointDefinition> {
  const { params, query, body } = definition
  const errors = Object.keys(given).flatMap((name) => (Object.hasOwn(fixed, name) ? [unknownArgument(name)] : []))
  const values = { ...given, ...fixed }
  const path = pick(values, (name) => hasField(params, name))
  const parameters = withoutNulls(pick(values, (name) => hasField(query, name)))
  const rest = pick(values, (name) => !hasField(params, name) && !hasField(query, name))
  if (params !== undefined) {
    const checked = validateInput(params, path)
    if (!checked.success) errors.push(...checked.errors)
  }
  errors.push(...Object.entries(parameters).flatMap(([name, value]) => parameterErrors(name, value)))
  if (body === undefined) errors.push(...Object.keys(rest).map(unknownArgument))
  if (errors.length > 0) throw validationProblem(errors)
  // The path was validated; the service parses the query and the body.
  return {
    params: path,
    query: parameters,
    body: body === undefined ? undefined : withoutAbsentNulls(body, rest),
  } as RequestOf<EndpointDefinition>
}

/** A query cannot express null, so it is absent there, also as the value of a pair. */
const withoutNulls = (values: Arguments): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (value === null) return []
      return [[name, isPairs(value) ? withoutNulls(value) : value]]
    }),
  )

const isPairs = (value: unknown): value is Arguments => typeof value === 'object' && !Array.isArray(value)

const hasField = (shape: EndpointDefinition['params'], name: string): boolean =>
  shape !== undefined && Object.hasOwn(shape.shape, name)

const pick = (values: Arguments, accepts: (name: string) => boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => accepts(name)))

const unknownArgument = (name: string): FieldError => ({
  pointer: bodyPointer([name]),
  detail: 'is not an argument of this tool',
})

/** A query has text only: numbers and booleans are written as text, and an object as pairs. */
function parameterErrors(name: string, value: unknown): FieldError[] {
  if (isScalar(value)) return []
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [
      { pointer: bodyPointer([name]), detail: 'must be a string, a number, true or false; leave it out for none' },
    ]
  return Object.entries(value).flatMap(([member, inner]) =>
    isScalar(inner) ? [] : [{ pointer: bodyPointer([name, member]), detail: 'must be a string' }],
  )
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)
