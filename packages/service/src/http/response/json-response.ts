import {
  type EndpointDefinition,
  type Page,
  type SuccessStatus,
  successStatuses,
  successStatusesOf,
  type WithHeaders,
} from '@wp/contracts'
import { fillPath } from '../bound-surface.ts'
import { type BufferedResponse, privateCaching } from './send-response.ts'

/** Builds the response of an endpoint that responds with JSON; see `buildResponse`. */
export function buildJsonResponse(
  definition: EndpointDefinition,
  result: unknown,
  base: string,
  params: Record<string, string>,
): BufferedResponse {
  const { setsCookies, setsHeaders, ...plain } = definition
  if (setsCookies === true || setsHeaders === true) {
    const { result: inner, cookies = [], headers } = result as WithHeaders<unknown> // the type of every such operation
    const response = buildJsonResponse(plain, inner, base, params)
    Object.assign(response.headers, setsCookies === true ? { 'cache-control': 'no-store' } : {}, headers)
    if (cookies.length > 0) response.headers['set-cookie'] = cookies
    return response
  }
  if (definition.list !== undefined) return listResponse(definition, result)
  if (definition.deleted !== undefined) return deletedResponse(definition.deleted, result)
  if (definition.bare !== undefined) return jsonResponse(200, definition.bare.parse(result), definition)
  const { status, data } = withStatus(definition, result)
  const shape = definition[status]
  if (shape === undefined) throw new Error(`${definition.id} does not declare the status ${status}`)
  const view: unknown = shape.parse(data)
  const response = jsonResponse(successStatuses[status], { success: true, data: view }, definition)
  if (status !== 'ok' && definition.location !== undefined)
    response.headers.location = base + fillPath(definition.location, { ...params, ...stringFieldsOf(view) })
  return response
}

/** The status of a result: the only one the endpoint declares, or the one the operation chose. */
function withStatus(definition: EndpointDefinition, result: unknown): { status: SuccessStatus; data: unknown } {
  const [only, ...others] = successStatusesOf(definition)
  if (only === undefined) throw new Error(`${definition.id} declares no response`)
  if (others.length === 0) return { status: only, data: result }
  // `outcome`: results stored for idempotency keys before the field was called `status`; they are kept for 24 hours
  const { status, outcome = status, data } = result as Record<string, unknown> // such operations return an object
  if (outcome === 'ok' || outcome === 'created' || outcome === 'accepted') return { status: outcome, data }
  throw new Error(`the operation of ${definition.id} must return a status`)
}

function listResponse(definition: EndpointDefinition, result: unknown): BufferedResponse {
  const { items, nextCursor, meta } = result as Page<unknown> & { meta?: unknown } // the type of every list operation; its items are parsed below
  const data = items.map((item) => definition.list?.parse(item))
  return jsonResponse(
    200,
    {
      success: true,
      data,
      pagination: { next_cursor: nextCursor, has_more: nextCursor !== null },
      ...(definition.meta && { meta: definition.meta.parse(meta) }),
    },
    definition,
  )
}

function deletedResponse(field: string, result: unknown): BufferedResponse {
  const { id } = result as { id: string } // the type of every operation that deletes
  return jsonResponse(200, { success: true, data: { [field]: id, deleted: true } }, {})
}

function jsonResponse(
  status: number,
  value: unknown,
  { secret, limitClass }: Pick<EndpointDefinition, 'secret' | 'limitClass'>,
): BufferedResponse {
  const isStorable = secret === undefined && limitClass !== 'token'
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(isStorable ? privateCaching : { 'cache-control': 'no-store' }),
    },
    body: JSON.stringify(value),
  }
}

const stringFieldsOf = (view: unknown): Record<string, string> =>
  typeof view === 'object' && view !== null
    ? Object.fromEntries(
        Object.entries(view).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {}
