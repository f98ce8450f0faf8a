import type { IncomingMessage, ServerResponse } from 'node:http'
import { type EndpointDefinition, EventStream, IdempotentReplay, type ServerSentEvent } from '@wp/contracts'
import type { Verifier } from '../assertions/assertion.ts'
import type { BoundEndpoint } from './bound-surface.ts'
import { header } from './header.ts'
import { authorize } from './request/authorize.ts'
import { readBody } from './request/body.ts'
import { preconditionMetadataOf } from './request/precondition.ts'
import { requestMetadataOf } from './request/request-metadata.ts'
import { type CursorSeal, createCursorSeal, openCursor, sealCursor, sealEventIds } from './request/sealed-cursor.ts'
import { validate } from './request/validate.ts'
import { buildResponse } from './response/build-response.ts'
import { applyConditions } from './response/entity-tag.ts'
import { eventStreamResponse } from './response/event-stream.ts'
import type { HttpResponse } from './response/send-response.ts'

export interface ServeOptions {
  verifier: Verifier
  /** Shards whose workspaces are served. */
  shards: readonly string[]
  /** The public base address. */
  base: string
  /** Name of the product, shown on pages. */
  productName?: string | undefined
  /** Aborted when the server stops listening: streams of events end, so that clients reconnect to another replica. */
  shutdown: AbortSignal
  /** Pause after which a comment is sent on a stream of events, in milliseconds; default 15,000. */
  keepAliveMs?: number
}

/** The parsed request of an endpoint. */
interface EndpointRequest {
  request: IncomingMessage
  response: ServerResponse
  params: Record<string, string>
  requestId: string
  traceparent: string
}

/**
 * Serves one request of an endpoint: authorizes the caller, parses the input, runs the operation, builds the response.
 * @param all every endpoint of the service: a precondition is checked by reading the resource
 * @throws Problem, or whatever the operation throws
 */
export async function serveEndpoint(
  { definition, run }: BoundEndpoint,
  all: readonly BoundEndpoint[],
  { request, response, params, requestId, traceparent }: EndpointRequest,
  options: ServeOptions,
): Promise<HttpResponse> {
  const subject = await authorize(definition, request.headers, options)
  const body = await readBody(request, definition)
  const validated = validate(definition, { params, query: queryOf(request.url ?? ''), body })
  const cursors = createCursorSeal(definition, subject, validated)
  const input = openCursor(validated, cursors)
  const caller = { ...subject, requestId, traceparent }
  const metadata = requestMetadataOf(definition, request, subject, params, body)
  const isRepeatable = metadata.idempotency !== undefined
  const precondition = await preconditionMetadataOf(definition, all, request, { caller, params, input }, isRepeatable)
  const requestCaller = { ...caller, request: { ...metadata, ...precondition } }
  const stream = canStream(definition)
    ? {
        signal: streamSignal(definition, response, options.shutdown),
        lastEventId: lastEventIdOf(definition, request, cursors),
      }
    : undefined
  const operationInput = {
    ...input,
    headers: headersOf(definition, request),
    ...(definition.cancellable === true && { signal: closedSignal(response) }),
    ...stream,
  }
  const build = (result: unknown) => {
    const events = eventsOf(definition, result)
    if (events !== undefined && stream !== undefined)
      return eventStreamResponse(
        definition,
        definition.sealsEventIds === true ? sealEventIds(events, cursors) : events,
        { ...stream, keepAliveMs: options.keepAliveMs ?? 15_000 },
      )
    const sealed = sealCursor(definition, result, cursors)
    return applyConditions(
      definition,
      request,
      buildResponse(definition, sealed, options.base, params, options.productName),
    )
  }
  try {
    return build(await run(requestCaller, operationInput))
  } catch (thrown) {
    if (!(thrown instanceof IdempotentReplay)) throw thrown
    const replayed = build(thrown.result)
    return { ...replayed, headers: { ...replayed.headers, 'idempotency-replayed': 'true' } }
  }
}

const canStream = ({ response }: EndpointDefinition): boolean =>
  response === 'events' || response === 'json-or-events' || response === 'http'

/** Returns the events of a result, if the response is a stream of events. */
function eventsOf({ response }: EndpointDefinition, result: unknown): AsyncIterable<ServerSentEvent> | undefined {
  if (response === 'events') return result as AsyncIterable<ServerSentEvent> // the type of every such operation
  return response === 'json-or-events' && result instanceof EventStream ? result.events : undefined
}

function lastEventIdOf(
  definition: EndpointDefinition,
  request: IncomingMessage,
  cursors: CursorSeal,
): string | undefined {
  const id = header(request, 'last-event-id')
  return id === undefined || definition.sealsEventIds !== true ? id : cursors.open(id, 'Last-Event-ID')
}

/** A stream of events ends when the server stops, so that its client reconnects; other responses are completed. */
function streamSignal(definition: EndpointDefinition, response: ServerResponse, shutdown: AbortSignal): AbortSignal {
  const closed = closedSignal(response)
  const isEventStream = definition.response !== 'http' || definition.eventProtocol !== undefined
  return isEventStream ? AbortSignal.any([closed, shutdown]) : closed
}

/** Returns a signal that is aborted when the connection of a response closes. */
function closedSignal(response: ServerResponse): AbortSignal {
  const closed = new AbortController()
  const abort = () => closed.abort(new ClientDisconnected('the client disconnected'))
  if (response.destroyed) abort()
  response.once('close', abort)
  return closed.signal
}

/** The reason of a closed signal. Its code tells `sendProblem` that no client waits for a response. */
class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'
  readonly code = 'ERR_STREAM_PREMATURE_CLOSE'
}

/** Returns everything after the first question mark; later ones are part of it. */
function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

/** Returns the request headers that an endpoint declares. */
const headersOf = (definition: EndpointDefinition, request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    (definition.headers ?? []).flatMap((name) => {
      const value = header(request, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
