/** Kind of the successful response of an endpoint. Errors are always problem documents (RFC 9457). */
export type ResponseKind =
  /** JSON, in the envelope unless `bare`. */
  | 'json'
  /** An HTML page. */
  | 'html'
  /** A redirect: 302 after GET, 303 after POST. */
  | 'redirect'
  /** An HTML page or a redirect, as the operation decides. */
  | 'html-or-redirect'
  /** Server-sent events (`text/event-stream`). */
  | 'events'
  /** JSON as for `json`, or server-sent events, as the operation decides by the request. */
  | 'json-or-events'
  /** A file, streamed. */
  | 'file'
  /** A response of a protocol with a format of its own: the operation builds status, header fields and body. */
  | 'http'

/** Successful statuses of an endpoint that responds with JSON in the envelope: 200, 201 and 202. */
export const successStatuses = { ok: 200, created: 201, accepted: 202 } as const
export type SuccessStatus = keyof typeof successStatuses

/** `Set-Cookie` fields. */
interface ResponseCookies {
  cookies?: readonly string[]
}

/** Other header fields; names in lower case. */
interface ResponseHeaders {
  headers?: Readonly<Record<Lowercase<string>, string>>
}

/** A result with cookies or other header fields of the response. */
export type WithHeaders<Result> = ResponseCookies & ResponseHeaders & { result: Result }

/** An HTML page. */
export interface HtmlPage extends ResponseCookies {
  html: string
  /** Default 200. */
  status?: number
  /**
   * Origins beside our own to which a form of the page may lead. Browsers apply the `form-action` directive to
   * redirects of the response too.
   */
  formActionOrigins?: readonly string[]
}

/** A redirect to an absolute URL. */
export interface Redirect extends ResponseCookies {
  location: string
}

/** One server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface ServerSentEvent<Data = unknown> {
  /** Sent back by the client as `Last-Event-ID` when it reconnects. */
  id?: string
  /** Event type; default `message`. */
  event?: string
  /** Sent as JSON. */
  data: Data
}

/** The stream of a `json-or-events` endpoint, if the operation responds with events. */
export class EventStream<Data = unknown> {
  readonly events: AsyncIterable<ServerSentEvent<Data>>

  constructor(events: AsyncIterable<ServerSentEvent<Data>>) {
    this.events = events
  }
}

/** The response of an `http` endpoint. */
export interface HttpResult extends Required<ResponseHeaders> {
  status: number
  /** Text, or the chunks of a streamed body. */
  body: string | AsyncIterable<Uint8Array | string>
}

/** A file. Its content type must be one of the endpoint's `fileTypes`. */
export interface FileResponse {
  contentType: string
  filename: string
  /** Default `attachment`. */
  disposition?: 'attachment' | 'inline'
  /** Length in bytes, if known. */
  length?: number
  /** Opaque entity tag without quotes. It must change whenever the content does. */
  etag?: string
  /** Opens the content. Not called if the response has no body: for HEAD, and for a match of `If-None-Match`. */
  open: () => AsyncIterable<Uint8Array>
}
