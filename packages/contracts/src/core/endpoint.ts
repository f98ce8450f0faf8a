import type { z } from 'zod'
import type { PrincipalType, RequestCaller, WorkspaceCaller } from './caller.ts'
import type { ErrorCode } from './error.ts'
import type { Scope } from './scope.ts'
import type { ServiceName, SignerName } from './services.ts'
import type { Page } from './shape.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type CredentialKind = 'bearer' | 'apiKey'

/** Which class of time and rate limits an endpoint falls under. */
export type LimitClass = 'default' | 'token' | 'upload' | 'long'

/** Everything one endpoint promises, as data. See docs/walkthrough.md for who reads it. */
export interface EndpointDefinition {
  /** `<surface>.<verb>`, also the operation id of the OpenAPI document. */
  id: `${string}.${string}`
  method: Method
  path: string
  summary: string
  description?: string
  /** The permission a caller needs; absent: any valid credential. */
  scope?: Scope
  /** Credential kinds accepted; default both; `none`: the endpoint is open. */
  credentials?: readonly CredentialKind[] | 'none'
  /** Principal types accepted, where not all are. */
  principals?: readonly PrincipalType[]
  /** Whether a workspace must be known; default `required` where a credential is. */
  workspace?: 'required' | 'none'
  /** `internal`: between services only; the edge does not know it. */
  audience?: 'public' | 'internal'
  /** Signers besides the edge that may call it. */
  callers?: readonly SignerName[]
  /** Whether a service may call it without acting for a caller. */
  allowsSystemCalls?: boolean
  /** The service that serves it; default the service that has the name of the surface. See `servedBy`. */
  service?: ServiceName
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** Field of the body or the query that names the resource where the path does not; it is read at `<path>/{<field>}`. */
  resourceIdField?: string
  /** Fields of the answer that change without anybody changing the resource: `If-Match` does not look at them. */
  volatile?: readonly string[]
  /** Names, in lower case, of the header fields the operation reads itself. */
  headers?: readonly Lowercase<string>[]
  /** `form`: form-encoded as well as JSON; `stream`: the operation reads the body itself. */
  input?: 'json' | 'form' | 'stream'
  /** Content types of a streamed body. */
  contentTypes?: readonly string[]
  /** 200 in the envelope. */
  ok?: z.ZodType
  /** 201 in the envelope, with `Location`. */
  created?: z.ZodType
  /** 202 in the envelope. */
  accepted?: z.ZodType
  /** 200, `data` is an array of this, beside `pagination`. */
  list?: z.ZodType
  /** Beside the `data` and `pagination` of a list: what is true of the whole of it. */
  meta?: z.ZodType
  /** 200 `{"<field>": id, "deleted": true}` in the envelope; the name of the id field. */
  deleted?: string
  /** 200 without an envelope. */
  bare?: z.ZodType
  /** What a browser is shown or sent on to: the operation answers with a page or an address. */
  browser?: true
  /** The operation sets cookies beside its answer. */
  setsCookies?: true
  /** The operation sets header fields of its own beside its answer, for example how its limits stand. */
  setsHeaders?: true
  /** Path of the new resource for `Location`; `{field}` is taken from the answer, else from the path. */
  location?: string
  errors?: readonly ErrorCode[]
  audit?: { action: string; target: string; field?: string }
  limitClass?: LimitClass
  /** The answer holds a secret; `id` names the field that identifies what it belongs to. */
  secret?: { idField: string }
}

/** Declares an endpoint. The one place where its path, permission, shapes and errors are written. */
export function endpoint<const D extends EndpointDefinition>(definition: D): D {
  return definition
}

/**
 * Declares the service that serves all these endpoints, where it is not the one with the name of the surface.
 * @example webhooks = servedBy('webhook-delivery', { listSubscriptions: endpoint({ … }) })
 */
export function servedBy<const S extends ServiceName, const D extends Record<string, EndpointDefinition>>(
  service: S,
  definitions: D,
): { [Name in keyof D]: D[Name] & { service: S } } {
  const served = Object.entries(definitions).map(([name, definition]) => [name, { ...definition, service }])
  return Object.fromEntries(served) // fromEntries loses which name had which value; the map above keeps them paired
}

/** The service that serves an endpoint: the declared one, otherwise the one named by the surface in the endpoint's id. */
export const serviceOf = ({ id, service }: EndpointDefinition): ServiceName =>
  service ?? (surfaceOf({ id }) as ServiceName) // a test checks that every surface without a declared service is one

/** The surface of an endpoint: the part of its id before the dot, also the segment after `/v1/` in its path. */
export const surfaceOf = ({ id }: Pick<EndpointDefinition, 'id'>): string => id.slice(0, id.indexOf('.'))

/** What the router hands to an operation. */
export interface InputOf<E extends EndpointDefinition> {
  params: E['params'] extends z.ZodObject ? z.output<E['params']> : Record<never, never>
  query: E['query'] extends z.ZodObject ? z.output<E['query']> : Record<never, never>
  body: E['input'] extends 'stream' ? BodyStream : E['body'] extends z.ZodType ? z.output<E['body']> : undefined
  headers: E['headers'] extends readonly (infer Name extends string)[]
    ? Partial<Record<Name, string>>
    : Record<never, never>
}

/** The body of a `stream` endpoint, not yet read. Reading past the size limit throws `payload_too_large`. */
export interface BodyStream {
  contentType: string
  /** The `charset` parameter of the content type. */
  charset: string | undefined
  /** From `Content-Length`, where there is one. */
  contentLength: number | undefined
  /** Whether the caller asked for `respond-async` (RFC 7240). */
  respondAsync: boolean
  chunks: AsyncIterable<Uint8Array>
}

/** What a client sends. */
export interface RequestOf<E extends EndpointDefinition> {
  params: E['params'] extends z.ZodObject ? z.input<E['params']> : Record<never, never>
  query: E['query'] extends z.ZodObject ? z.input<E['query']> : Record<never, never>
  body: E['input'] extends 'stream' ? UploadBody : E['body'] extends z.ZodType ? z.input<E['body']> : undefined
}

/** A body a client streams. */
export interface UploadBody {
  contentType: string
  content: string | Uint8Array | AsyncIterable<Uint8Array>
}

/** `Set-Cookie` fields. */
interface ResponseCookies {
  cookies?: readonly string[]
}

/** Other header fields, by their names in lower case. */
interface ResponseHeaders {
  headers?: Readonly<Record<Lowercase<string>, string>>
}

/** What an endpoint for browsers answers: a page (default status 200), or the address to go on to. */
export type BrowserResponse = ResponseCookies & (HtmlPage | { location: string })

/** `leadsTo`: origins its forms may lead on to, beside ours; browsers hold redirects to `form-action` too. */
interface HtmlPage {
  html: string
  status?: number
  formActionOrigins?: readonly string[]
}

/** An answer beside which cookies or other header fields are set. */
export type WithHeaders<Answer> = ResponseCookies & ResponseHeaders & { result: Answer }

type MetaOf<E> = E extends { meta: infer M extends z.ZodType } ? { meta: z.input<M> } : unknown

type SingleResponse<E> = E extends { browser: true }
  ? BrowserResponse
  : E extends { list: infer L extends z.ZodType }
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

/** An answer of an endpoint that has more than one successful status. */
export type ResultWithStatus<E> =
  | (E extends { ok: infer O extends z.ZodType } ? { outcome: 'ok'; data: z.input<O> } : never)
  | (E extends { created: infer C extends z.ZodType } ? { outcome: 'created'; data: z.input<C> } : never)
  | (E extends { accepted: infer A extends z.ZodType } ? { outcome: 'accepted'; data: z.input<A> } : never)

/** What a client gets: the view, a page of a list, the id of what was deleted; an `Outcome` where statuses differ. */
export type ResponseOf<E extends EndpointDefinition> = E extends { ok: z.ZodType; created: z.ZodType }
  ? ResultWithStatus<E>
  : E extends { ok: z.ZodType; accepted: z.ZodType }
    ? ResultWithStatus<E>
    : SingleResponse<E>

/** What an operation returns: the answer, beside cookies or other header fields where it sets some. */
export type ResultOf<E extends EndpointDefinition> = E extends
  | { setsCookies: true; browser?: never }
  | { setsHeaders: true; browser?: never }
  ? WithHeaders<ResponseOf<E>>
  : ResponseOf<E>

/** Who calls an endpoint: with a workspace, where the endpoint requires one. */
export type CallerOf<E extends EndpointDefinition> = E extends { workspace: 'none' }
  ? RequestCaller
  : E extends { credentials: 'none' }
    ? RequestCaller
    : RequestCaller<WorkspaceCaller>

/** One verb: permission is checked, parsing is done; it acts and returns a view. */
export type Operation<E extends EndpointDefinition, Context> = (
  context: Context,
  caller: CallerOf<E>,
  input: InputOf<E>,
) => Promise<ResultOf<E>>

/** An operation for every endpoint of a surface; a missing one does not compile. */
export type Operations<S extends Record<string, EndpointDefinition>, Context> = {
  [Name in keyof S]: Operation<S[Name], Context>
}

/** The successful statuses an endpoint declares, most usual first. */
export function successStatusesOf(definition: EndpointDefinition): ('ok' | 'created' | 'accepted')[] {
  return (['ok', 'created', 'accepted'] as const).filter((outcome) => definition[outcome] !== undefined)
}

/** Whether a request must carry a workspace to be served. */
export const needsWorkspace = (definition: EndpointDefinition): boolean =>
  (definition.workspace ?? (definition.credentials === 'none' ? 'none' : 'required')) === 'required'

/** The credential kinds an endpoint accepts; empty for an open one. */
export const acceptedCredentials = (definition: EndpointDefinition): readonly CredentialKind[] =>
  definition.credentials === 'none' ? [] : (definition.credentials ?? ['bearer', 'apiKey'])
