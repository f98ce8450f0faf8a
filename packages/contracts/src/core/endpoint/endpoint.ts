import type { z } from 'zod'
import type { ErrorCode } from '../error/error.ts'
import type { ServiceName, SignerName } from '../services.ts'
import type { PrincipalType } from './caller.ts'
import type { Delegation } from './delegation.ts'
import { type ResponseKind, type SuccessStatus, successStatuses } from './response.ts'
import type { Scope } from './scope.ts'

/** `PUT` is for foreign protocols only: resources of the platform are changed by `PATCH`. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type CredentialKind = 'bearer' | 'apiKey'

/**
 * The class of time and rate limits of an endpoint. `metadata`: public keys, metadata and health, which every client
 * behind one address may read often; they do not count with the other endpoints that need no credential.
 */
export type LimitClass = 'default' | 'token' | 'upload' | 'long' | 'metadata'

/** The contract of an endpoint, as data. docs/walkthrough.md lists its readers. */
export interface EndpointDefinition {
  /** `<surface>.<verb>`; also the operation id of the OpenAPI document. */
  id: `${string}.${string}`
  method: Method
  path: string
  summary: string
  description?: string
  /** Permission the caller needs; default: any valid credential. */
  scope?: Scope
  /**
   * True if it accepts users' tokens that are restricted by `scope` although it declares no scope. By default it
   * rejects them, because nothing in such a token permits the request.
   */
  acceptsDownscopedTokens?: true
  /** Set where `requiresStepUp` does not follow from the other fields. */
  stepUp?: boolean
  /** Accepted kinds of credentials; default both. `none`: no credential is required. */
  credentials?: readonly CredentialKind[] | 'none'
  /** True if an API key is also accepted as `Authorization: Bearer`, where clients of others send it. */
  acceptsKeyAsBearer?: true
  /**
   * True if it also accepts portal links, which are refused everywhere else. Its operation restricts such a caller to
   * their `customerId`.
   */
  portal?: true
  /** Accepted principal types; default all but portal links. */
  principals?: readonly PrincipalType[]
  /** Default `required`, or `none` if no credential is required. */
  workspace?: 'required' | 'none'
  /** `internal`: callable by services only, not through the edge. Default `public`. */
  audience?: 'public' | 'internal'
  /** Signers other than the edge that may call it. */
  callers?: readonly SignerName[]
  /** True if services call it on their own behalf alone, without a caller. */
  allowsSystemCalls?: true
  /** The delegated uses for which a service may call it on its own behalf although it declares a scope. */
  delegations?: readonly Delegation[]
  /**
   * Query parameter whose text before the first dot names the cell that serves a request without a credential: a signed
   * token of that cell. Default: the home cell, which also serves a request that names an unknown cell.
   */
  cellParameter?: string
  /** The service that serves it; default: the service with the name of the surface. See `servedBy`. */
  service?: ServiceName
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /**
   * Shape of the body in the OpenAPI document, if `body` is wider because the operation itself reports the errors of
   * its fields, or if the operation reads the body as a stream.
   */
  documentedBody?: z.ZodType
  /** Field of the body or query that identifies the resource if the path does not; it is read at `<path>/{<field>}`. */
  resourceIdField?: string
  /** Fields of the response that change without a change of the resource. `If-Match` ignores them. */
  volatile?: readonly string[]
  /** Request headers the operation reads; names in lower case. */
  headers?: readonly Lowercase<string>[]
  /**
   * `form`: accepts form encoding and JSON. `stream`: the operation reads the body itself. `ignored`: accepts a body of
   * any type and encoding, which is not parsed. Default `json`.
   */
  input?: 'json' | 'form' | 'stream' | 'ignored'
  /** Parameters of the query or of a form that may occur several times. They are then read as an array. */
  repeatable?: readonly string[]
  /**
   * A protocol of others with a media type and an error body of its own. `scim`: `application/scim+json`, also in
   * requests, and the errors of RFC 7644 section 3.12. `openai`: the errors of the API of OpenAI.
   */
  protocol?: 'scim' | 'openai'
  /** Content types of a streamed request body. */
  contentTypes?: readonly string[]
  /** Kind of the successful response; default `json`. The fields `ok` to `bare` apply to JSON only. */
  response?: ResponseKind
  /** 200, in the envelope. */
  ok?: z.ZodType
  /** 201, in the envelope, with `Location`. */
  created?: z.ZodType
  /** 202, in the envelope. */
  accepted?: z.ZodType
  /** 200; `data` is an array of this shape, next to `pagination`. */
  list?: z.ZodType
  /** Member of a list response next to `data` and `pagination`, about the list as a whole. */
  meta?: z.ZodType
  /** 200 `{"<field>": id, "deleted": true}` in the envelope; the name of the id field. */
  deleted?: string
  /** 200, without the envelope. */
  bare?: z.ZodType
  /** Responses of the kind `http`, by status, for the OpenAPI document. */
  httpResponses?: Readonly<Record<number, HttpResponseShape>>
  /** Shape of the `data` of each event of a stream; default: any JSON. */
  eventData?: z.ZodType
  /**
   * The ids of the events are positions in a feed. They are sealed to the stream, as cursors are to their list: the
   * `Last-Event-ID` of another stream is `invalid_cursor`.
   */
  sealsEventIds?: true
  /**
   * Protocol of a stream of events. `ui-message-stream`: that of the AI SDK, version 1, with its header field;
   * `openai`: that of OpenAI. Both have `data: [DONE]` after the last event.
   */
  eventProtocol?: 'ui-message-stream' | 'openai'
  /** The operation gets a `signal`, which is aborted when the client disconnects. */
  cancellable?: true
  /** Content types of a `file` response. */
  fileTypes?: readonly string[]
  /** The operation sets cookies. */
  setsCookies?: true
  /** The operation sets header fields of its own, for example `RateLimit`. */
  setsHeaders?: true
  /** Path of the created resource for `Location`; `{field}` is taken from the response, or else from the path. */
  location?: string
  errors?: readonly ErrorCode[]
  audit?: { action: string; target: string; field?: string }
  limitClass?: LimitClass
  /**
   * The response holds a secret; `idField` is the field that identifies the resource it belongs to. With `field`, only
   * responses that have this field hold one.
   */
  secret?: { idField: string; field?: string }
  /** Offered as an MCP tool. */
  tool?: ToolDefinition
}

/** A response of an endpoint that builds its responses itself. */
export interface HttpResponseShape {
  description: string
  /** The body, by content type; default: none. */
  content?: Readonly<Record<string, z.ZodType>>
}

/**
 * An endpoint as a tool of the Model Context Protocol (https://modelcontextprotocol.io/specification, "Tools"). The
 * arguments of the tool are the path parameters, the query parameters and the fields of the body in one object, so no
 * two of them may have the same name.
 */
export interface ToolDefinition {
  /** Unique in the platform: 1 to 64 of a-z, 0-9 and _, beginning with a letter. */
  name: string
  /** Default: the summary and description of the endpoint. */
  description?: string
  /** Arguments that always have this value. They are not offered. */
  fixed?: Readonly<Record<string, unknown>>
  /** Name of the tool that reads the job a call starts: the call returns its `id` at once. */
  polledWith?: string
  /** Annotations of MCP: hints about the effect of a call, for the client to show. */
  hints?: { readOnly?: boolean; destructive?: boolean; idempotent?: boolean; openWorld?: boolean }
}

/** Declares a single endpoint, for a list of another file. The endpoints of a surface: `declareEndpoints`. */
export function endpoint<const D extends EndpointDefinition>(definition: D): D {
  return definition
}

type Definitions = Record<string, Omit<EndpointDefinition, 'id'>>

/**
 * Declares endpoints of a surface: the only place where their paths, permissions, shapes and errors are written. The id
 * of each is `<surface>.<name>`.
 * @example data = declareEndpoints('data', { listSources: { method: 'GET', path: '/v1/data/sources', … } })
 */
export function declareEndpoints<const S extends string, const D extends Definitions>(
  surface: S,
  definitions: D,
): { [Name in keyof D & string]: D[Name] & { id: `${S}.${Name}` } } {
  const declared = Object.entries(definitions).map(([name, definition]) => [
    name,
    { id: `${surface}.${name}`, ...definition },
  ])
  return Object.fromEntries(declared) // fromEntries loses which name had which value; the map above keeps them paired
}

/**
 * Declares the service that serves these endpoints, if it does not have the name of the surface.
 * @example webhooks = servedBy('webhook-delivery', declareEndpoints('webhooks', { listSubscriptions: { … } }))
 */
export function servedBy<const S extends ServiceName, const D extends Record<string, EndpointDefinition>>(
  service: S,
  definitions: D,
): { [Name in keyof D]: D[Name] & { service: S } } {
  const served = Object.entries(definitions).map(([name, definition]) => [name, { ...definition, service }])
  return Object.fromEntries(served)
}

/** Returns the service that serves an endpoint: the declared one, or else the one with the name of the surface. */
export const serviceOf = ({ id, service }: EndpointDefinition): ServiceName =>
  service ?? (surfaceOf({ id }) as ServiceName) // a test checks that every surface without a declared service is one

/** Returns the surface of an endpoint: the part of its id before the dot, also the segment after `/v1/` in its path. */
export const surfaceOf = ({ id }: Pick<EndpointDefinition, 'id'>): string => id.slice(0, id.indexOf('.'))

/** Returns the successful statuses an endpoint declares. */
export const successStatusesOf = (definition: EndpointDefinition): SuccessStatus[] =>
  (Object.keys(successStatuses) as SuccessStatus[]).filter((status) => definition[status] !== undefined) // the keys of a constant object are exactly its declared names

/** Returns true if the endpoint can respond with JSON in the platform's format. */
export const respondsWithJson = ({ response = 'json' }: EndpointDefinition): boolean =>
  response === 'json' || response === 'json-or-events'

/**
 * Format of the errors of an endpoint. `problem`: JSON (RFC 9457). `oauth`: JSON with the members of RFC 6749 section
 * 5.2 too. `page`: an HTML page, because users open the address in a browser. `scim`: JSON with the members of RFC 7644
 * section 3.12 too. `openai`: JSON with the member `error` that clients of OpenAI read.
 */
export type ErrorFormat = 'problem' | 'oauth' | 'page' | 'scim' | 'openai'

/** Returns the format of the errors of an endpoint. */
export function errorFormatOf({ limitClass, response, protocol }: EndpointDefinition): ErrorFormat {
  if (protocol !== undefined) return protocol
  if (limitClass === 'token') return 'oauth'
  return response === 'html' || response === 'html-or-redirect' ? 'page' : 'problem'
}

/** Returns true if a request must name a workspace. */
export const needsWorkspace = (definition: EndpointDefinition): boolean =>
  (definition.workspace ?? (definition.credentials === 'none' ? 'none' : 'required')) === 'required'

/**
 * Returns true if a user's token that is restricted by `scope` must be rejected. Services' own calls have no such
 * token.
 */
export const rejectsDownscopedTokens = (definition: EndpointDefinition): boolean =>
  definition.scope === undefined &&
  definition.credentials !== 'none' &&
  definition.audience !== 'internal' &&
  definition.acceptsDownscopedTokens !== true

/**
 * Returns true if a user's token that is restricted to a workspace must be rejected: the endpoint is about the user and
 * all their workspaces.
 */
export const rejectsWorkspaceTokens = (definition: EndpointDefinition): boolean =>
  rejectsDownscopedTokens(definition) && !needsWorkspace(definition)

/** Returns the kinds of credentials an endpoint accepts; none if it requires no credential. */
export const acceptedCredentials = (definition: EndpointDefinition): readonly CredentialKind[] =>
  definition.credentials === 'none' ? [] : (definition.credentials ?? ['bearer', 'apiKey'])

/**
 * Returns true if the endpoint requires a recent authentication of the user: if its response holds a secret, or if it
 * admits members or changes what they may do. In a session with step-up authentication, the edge refuses it with
 * `reauthentication_required` when the last authentication is too long ago (RFC 9470). Other sessions, service
 * principals and API keys are not asked.
 */
export const requiresStepUp = ({ stepUp, secret, scope, method }: EndpointDefinition): boolean =>
  stepUp ?? (secret !== undefined || (scope === 'auth:admin' && method !== 'GET'))
