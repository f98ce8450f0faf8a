import type { ServerResponse } from 'node:http'
import {
  type BrowserResponse,
  type EndpointDefinition,
  type Page,
  successStatusesOf,
  type WithHeaders,
} from '@wp/contracts'
import { pageHeaders } from './page-headers.ts'

/** What goes out: status, headers, and the body as text. */
export interface HttpResponse {
  status: number
  headers: Record<string, string | readonly string[]>
  body: string
}

const statusOf = { ok: 200, created: 201, accepted: 202 } as const

/**
 * Turns what an operation returned into the declared answer. Fields the contract does not declare do not leave.
 * @throws when the result does not match its contract; that is our fault, never the caller's
 */
export function buildResponse(
  definition: EndpointDefinition,
  result: unknown,
  base: string,
  params: Record<string, string>,
): HttpResponse {
  if (definition.browser === true) return browserResponse(definition, result as BrowserResponse) // the type of every such operation
  if (definition.setsCookies === true || definition.setsHeaders === true) {
    const { result: answer, cookies, headers: fields } = result as WithHeaders<unknown> // likewise
    const { setsCookies: _, setsHeaders: __, ...plain } = definition
    const made = buildResponse(plain, answer, base, params)
    const kept = definition.setsCookies === true ? { 'cache-control': 'no-store' } : {} // a cookie is for one browser alone
    return withCookies({ ...made, headers: { ...made.headers, ...kept, ...fields } }, cookies)
  }
  if (definition.list !== undefined) return listResponse(definition, result)
  if (definition.deleted !== undefined) return deletedResponse(definition.deleted, result)
  if (definition.bare !== undefined) return jsonResponse(200, definition.bare.parse(result), definition)
  const outcomes = successStatusesOf(definition)
  const [only] = outcomes
  if (only === undefined) throw new Error(`${definition.id} declares no answer`)
  const { outcome, data } = outcomes.length > 1 ? asOutcome(result, definition) : { outcome: only, data: result }
  const schema = definition[outcome]
  if (schema === undefined) throw new Error(`${definition.id} does not declare the outcome ${outcome}`)
  const view: unknown = schema.parse(data)
  const answer = jsonResponse(statusOf[outcome], { success: true, data: view }, definition)
  if (outcome !== 'ok' && definition.location !== undefined)
    answer.headers.location = base + fill(definition.location, { ...params, ...stringsOf(view) })
  return answer
}

/** A page or the way on may hold what signs somebody in: neither is kept, or told to where the browser goes next. */
function browserResponse({ method }: EndpointDefinition, result: BrowserResponse): HttpResponse {
  const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  const answer =
    'location' in result
      ? { status: method === 'GET' ? 302 : 303, headers: { ...headers, location: result.location }, body: '' }
      : {
          status: result.status ?? 200,
          headers: { ...headers, ...pageHeaders(result.html, result.formActionOrigins) },
          body: result.html,
        }
  return withCookies(answer, result.cookies)
}

const withCookies = (answer: HttpResponse, cookies: readonly string[] = []): HttpResponse =>
  cookies.length === 0 ? answer : { ...answer, headers: { ...answer.headers, 'set-cookie': cookies } }

function listResponse(definition: EndpointDefinition, result: unknown): HttpResponse {
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

function deletedResponse(field: string, result: unknown): HttpResponse {
  const { id } = result as { id: string } // the type of every operation that deletes
  return jsonResponse(200, { success: true, data: { [field]: id, deleted: true } }, { secret: undefined })
}

function jsonResponse(
  status: number,
  value: unknown,
  definition: { secret?: unknown; limitClass?: unknown; method?: unknown },
): HttpResponse {
  const body = JSON.stringify(value)
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' }
  if (definition.secret !== undefined || definition.limitClass === 'token') headers['cache-control'] = 'no-store'
  else {
    headers['cache-control'] = 'private, no-cache'
    headers.vary = 'Authorization, x-api-key, x-workspace-key'
  }
  return { status, headers, body }
}

/** Sends an answer. A body is left out where HTTP has none. */
export function sendResponse(response: ServerResponse, answer: HttpResponse): void {
  writeResponse(response, answer)
  response.end()
}

/** Sends an answer whole, and leaves it to the caller to end the response. */
export function writeResponse(response: ServerResponse, answer: HttpResponse): void {
  response.statusCode = answer.status
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
  if (answer.status === 304) return
  const bytes = Buffer.from(answer.body)
  response.setHeader('content-length', bytes.length)
  if (response.req.method === 'HEAD') response.flushHeaders()
  else response.write(bytes)
}

type Named = { outcome: keyof typeof statusOf; data: unknown }

function asOutcome(result: unknown, definition: EndpointDefinition): Named {
  if (typeof result === 'object' && result !== null && 'outcome' in result && 'data' in result)
    if (result.outcome === 'ok' || result.outcome === 'created' || result.outcome === 'accepted')
      return { outcome: result.outcome, data: result.data }
  throw new Error(`${definition.id} must say which outcome it returns`)
}

const fill = (template: string, values: Record<string, string>) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))

const stringsOf = (view: unknown): Record<string, string> =>
  typeof view === 'object' && view !== null
    ? Object.fromEntries(
        Object.entries(view).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {}
