import type { z } from 'zod'
import type { Page } from '../shape/shape.ts'
import type { RequestCaller, WorkspaceCaller } from './caller.ts'
import type { EndpointDefinition } from './endpoint.ts'
import type {
  EventStream,
  FileResponse,
  HtmlPage,
  HttpResult,
  Redirect,
  ServerSentEvent,
  WithHeaders,
} from './response.ts'

/** The input of an operation: the parsed request. */
export type InputOf<E extends EndpointDefinition> = {
  params: E['params'] extends z.ZodObject ? z.output<E['params']> : Record<never, never>
  query: E['query'] extends z.ZodObject ? z.output<E['query']> : Record<never, never>
  body: E['input'] extends 'stream' ? BodyStream : E['body'] extends z.ZodType ? z.output<E['body']> : undefined
  headers: E['headers'] extends readonly (infer Name extends string)[]
    ? Partial<Record<Name, string>>
    : Record<never, never>
} & (E extends { response: 'events' | 'json-or-events' | 'http' }
  ? EventStreamInput
  : E extends { cancellable: true }
    ? CancellableInput
    : unknown)

/** Input of an operation of a `cancellable` endpoint. */
export interface CancellableInput {
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}

/** Input of an operation that can respond with a stream. */
export interface EventStreamInput {
  /** The `Last-Event-ID` header: the `id` of the last event a reconnecting client received. */
  lastEventId: string | undefined
  /** Aborted when the client disconnects and, except for the response kind `http`, when the server shuts down. */
  signal: AbortSignal
}

/** The unread body of an endpoint whose `input` is `stream`. Reading past the size limit throws `payload_too_large`. */
export interface BodyStream {
  contentType: string
  /** The `charset` parameter of the content type. */
  charset: string | undefined
  /** The value of `Content-Length`, if present. */
  contentLength: number | undefined
  /** True if the request has the preference `respond-async` (RFC 7240). */
  respondAsync: boolean
  chunks: AsyncIterable<Uint8Array>
}

/** The request a client sends. */
export interface RequestOf<E extends EndpointDefinition> {
  params: E['params'] extends z.ZodObject ? z.input<E['params']> : Record<never, never>
  query: E['query'] extends z.ZodObject ? z.input<E['query']> : Record<never, never>
  body: E['input'] extends 'stream' ? UploadBody : E['body'] extends z.ZodType ? z.input<E['body']> : undefined
}

/** A request body that a client streams. */
export interface UploadBody {
  contentType: string
  /** A function opens the content again for every attempt; an iterable can be sent only once. */
  content: string | Uint8Array | Blob | AsyncIterable<Uint8Array> | (() => AsyncIterable<Uint8Array>)
}

type MetaOf<E> = E extends { meta: infer M extends z.ZodType } ? { meta: z.input<M> } : unknown

type SingleResponse<E> = E extends { list: infer L extends z.ZodType }
  ? Page<z.input<L>> & MetaOf<E>
  : E extends { deleted: string }
    ? { id: string }
    : E extends { bare: infer B extends z.ZodType }
      ? z.input<B>
      : E extends { created: infer C extends z.ZodType }
        ? z.input<C>
        : E extends { accepted: infer A extends z.ZodType }
          ? z.input<A>
          : E extends { ok: infer O extends z.ZodType }
            ? z.input<O>
            : undefined

/** A result of an endpoint with several successful statuses. */
export type ResultWithStatus<E> =
  | (E extends { ok: infer O extends z.ZodType } ? { status: 'ok'; data: z.input<O> } : never)
  | (E extends { created: infer C extends z.ZodType } ? { status: 'created'; data: z.input<C> } : never)
  | (E extends { accepted: infer A extends z.ZodType } ? { status: 'accepted'; data: z.input<A> } : never)

/**
 * The JSON response as a client reads it: the resource, a page of a list, the id of a deleted resource, or a
 * `ResultWithStatus`.
 */
export type ResponseOf<E extends EndpointDefinition> = E extends { ok: z.ZodType; created: z.ZodType }
  ? ResultWithStatus<E>
  : E extends { ok: z.ZodType; accepted: z.ZodType }
    ? ResultWithStatus<E>
    : SingleResponse<E>

/** The result of an operation, as the kind of its response requires it. */
export type ResultOf<E extends EndpointDefinition> = E extends { response: 'html' }
  ? HtmlPage
  : E extends { response: 'redirect' }
    ? Redirect
    : E extends { response: 'html-or-redirect' }
      ? HtmlPage | Redirect
      : E extends { response: 'events' }
        ? AsyncIterable<ServerSentEvent<EventDataOf<E>>>
        : E extends { response: 'file' }
          ? FileResponse
          : E extends { response: 'json-or-events' }
            ? ResponseOf<E> | EventStream<EventDataOf<E>>
            : E extends { response: 'http' }
              ? HttpResult
              : E extends { setsCookies: true } | { setsHeaders: true }
                ? WithHeaders<ResponseOf<E>>
                : ResponseOf<E>

type EventDataOf<E> = E extends { eventData: infer D extends z.ZodType } ? z.input<D> : unknown

/** The caller of an endpoint; with a workspace if the endpoint requires one. */
export type CallerOf<E extends EndpointDefinition> = E extends { workspace: 'none' }
  ? RequestCaller
  : E extends { credentials: 'none' }
    ? RequestCaller
    : RequestCaller<WorkspaceCaller>

/**
 * Implements one endpoint. The caller is authorized and the input parsed; the operation does the work and returns the
 * result.
 */
export type Operation<E extends EndpointDefinition, Context> = (
  context: Context,
  caller: CallerOf<E>,
  input: InputOf<E>,
) => Promise<ResultOf<E>>

/** The operations of a surface, one for each endpoint. A missing one is a compile error. */
export type Operations<S extends Record<string, EndpointDefinition>, Context> = {
  [Name in keyof S]: Operation<S[Name], Context>
}
