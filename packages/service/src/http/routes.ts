import type { IncomingMessage } from 'node:http'
import {
  type CallerOf,
  type EndpointDefinition,
  IdempotentReplay,
  type InputOf,
  type Operation,
  type Operations,
  problem,
} from '@wp/contracts'
import type { Metrics } from '@wp/runtime'
import { Router } from 'express'
import type { Verifier } from '../assertions/assertion.ts'
import { traceparentOf } from '../telemetry/correlation.ts'
import type { Logger } from '../telemetry/logger.ts'
import { authorize } from './authorize.ts'
import { readBody } from './body.ts'
import { etagOf, matchesTag } from './entity-tag.ts'
import { preconditionMetadataOf } from './precondition.ts'
import { sendProblem } from './problem-response.ts'
import { header, requestMetadataOf } from './request-metadata.ts'
import { buildResponse, type HttpResponse, sendResponse } from './response.ts'
import { validate } from './validate.ts'

/** What serving needs beside the service's own context. */
export interface RouterOptions {
  verifier: Verifier
  /** Of which workspaces are served. */
  shards: readonly string[]
  base: string
  log: Logger
  metrics: Metrics
}

/** A surface and its operations, bound to a context; `serve` turns it into routes. */
export interface BoundSurface {
  endpoints: readonly Bound[]
}

interface Bound {
  definition: EndpointDefinition
  run: (caller: unknown, input: unknown) => Promise<unknown>
}

/** Binds the operations of a surface to the context they run in. */
export function bindSurface<S extends Record<string, EndpointDefinition>, Context>(
  surface: S,
  operations: Operations<S, Context>,
  context: Context,
): BoundSurface {
  const endpoints = Object.entries(surface).map(([name, definition]) => {
    const operation: Operation<EndpointDefinition, Context> = operations[name] as never // paired by name in the type Operations
    const run = (caller: unknown, input: unknown) =>
      operation(context, caller as CallerOf<EndpointDefinition>, input as InputOf<EndpointDefinition>) // checked against the contract by the route below
    return { definition, run }
  })
  return { endpoints }
}

/** The Express router for surfaces: validation, permission, answers and errors as the contracts declare. */
export function createRouter(surfaces: readonly BoundSurface[], serving: RouterOptions): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const all = surfaces.flatMap((surface) => surface.endpoints)
  const paths = Map.groupBy(all, ({ definition }) => definition.path)
  const ordered = [...paths].sort(([a], [b]) => literalsFirst(a, b))
  for (const [path, bounds] of ordered) {
    const expressPath = path.replace(/\{(\w+)\}/g, ':$1')
    router.all(expressPath, async (request, response) => {
      const started = performance.now()
      const requestId = String(response.locals.requestId)
      const method = request.method === 'HEAD' ? 'GET' : request.method
      const bound = bounds.find(({ definition }) => definition.method === method)
      const definition = bound?.definition
      try {
        if (bound === undefined) throw methodNotAllowed(bounds)
        sendResponse(response, await handle(bound, all, request, stringParams(request.params), requestId, serving))
      } catch (thrown) {
        sendProblem(response, thrown, {
          base: serving.base,
          requestId,
          log: serving.log,
          oauth: definition?.limitClass === 'token',
        })
      }
      const labels = { endpoint: definition?.id ?? 'none', status: String(response.statusCode) }
      serving.metrics.observe('http_request_seconds', (performance.now() - started) / 1000, labels)
      serving.log.debug({ request_id: requestId, ...labels }, 'request')
    })
  }
  return router
}

async function handle(
  bound: Bound,
  all: readonly Bound[],
  request: IncomingMessage,
  params: Record<string, string>,
  requestId: string,
  serving: RouterOptions,
): Promise<HttpResponse> {
  const { definition } = bound
  const subject = await authorize(definition, request.headers, serving)
  const body = await readBody(request, definition)
  const query = new URLSearchParams(queryOf(request.url ?? ''))
  const input = validate(definition, { params, query, body })
  const caller = { ...subject, requestId, traceparent: traceparentOf(header(request, 'traceparent')) }
  const plain = requestMetadataOf(definition, request, subject, params, body)
  const isRepeatable = plain.idempotency !== undefined
  const facts = {
    ...plain,
    ...(await preconditionMetadataOf(definition, all, request, { caller, params, input }, isRepeatable)),
  }
  try {
    const result = await bound.run({ ...caller, request: facts }, { ...input, headers: headersOf(definition, request) })
    const answer = buildResponse(definition, result, serving.base, params)
    return conditional(definition, request, answer)
  } catch (thrown) {
    if (!(thrown instanceof IdempotentReplay)) throw thrown
    const answer = conditional(definition, request, buildResponse(definition, thrown.result, serving.base, params))
    return { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } }
  }
}

function conditional(definition: EndpointDefinition, request: IncomingMessage, answer: HttpResponse): HttpResponse {
  if (
    definition.ok === undefined ||
    answer.status !== 200 ||
    definition.secret !== undefined ||
    definition.method === 'POST'
  )
    return answer
  const etag = etagOf(answer.body, definition)
  const headers = { ...answer.headers, etag }
  const known = header(request, 'if-none-match')
  if (definition.method === 'GET' && known !== undefined && matchesTag(withoutWeakness(known), etag))
    return { status: 304, headers, body: '' }
  return { ...answer, headers }
}

/** `If-None-Match` compares weakly (RFC 9110 section 13.1.2): a proxy that compressed an answer has weakened its tag. */
const withoutWeakness = (field: string) => field.replaceAll('W/"', '"')

/** All that follows the first question mark; later ones are part of it. */
function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

function methodNotAllowed(bounds: readonly Bound[]) {
  const methods = bounds.map(({ definition }) => definition.method)
  const allow = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : [])])].join(', ')
  return problem('method_not_allowed', { headers: { allow } })
}

/** Paths with a literal segment are tried before those with a parameter in its place. */
const literalsFirst = (a: string, b: string) =>
  a.replaceAll('{', '\uffff').localeCompare(b.replaceAll('{', '\uffff'), 'en')

/** Every parameter of our paths is one segment, so one string. */
const stringParams = (params: Record<string, string | string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

/** The header fields an endpoint declares that it reads. */
const headersOf = (definition: EndpointDefinition, request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    (definition.headers ?? []).flatMap((name) => {
      const value = header(request, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
