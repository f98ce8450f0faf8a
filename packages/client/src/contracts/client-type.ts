import type {
  EndpointDefinition,
  RequestOf,
  ResponseKind,
  ResponseOf,
  ResultOf,
  ServerSentEvent as ServerSentEventOf,
  SurfaceName,
  surfaces,
} from '@wp/contracts'
import type { Call, ListCall, ListPage } from '../call.ts'
import type { EventIterator } from '../follow-events.ts'
import type { CallOptions } from '../request.ts'

type Surfaces = typeof surfaces

/** The parts of the request that an endpoint declares. */
type DeclaredParts<E extends EndpointDefinition> =
  | Extract<keyof E, 'params' | 'query' | 'body'>
  | (E extends { input: 'stream' } ? 'body' : never)

/** Parts of an endpoint's request. A part with a required member is required itself. */
type CallInput<E extends EndpointDefinition> = {
  [Part in DeclaredParts<E> as IsOptionalPart<RequestOf<E>[Part]> extends true ? never : Part]: RequestOf<E>[Part]
} & {
  [Part in DeclaredParts<E> as IsOptionalPart<RequestOf<E>[Part]> extends true ? Part : never]?: RequestOf<E>[Part]
}
type IsOptionalPart<Part> = Part extends undefined ? true : Record<never, never> extends Part ? true : false

/** A method. The input may be omitted if no part of it is required. */
type Method<E extends EndpointDefinition, Result> =
  Record<never, never> extends CallInput<E>
    ? (input?: CallInput<E>, options?: CallOptions) => Result
    : (input: CallInput<E>, options?: CallOptions) => Result

type CallOf<E extends EndpointDefinition> =
  ResponseOf<E> extends ListPage<unknown> ? ListCall<ResponseOf<E>> : Call<ResponseOf<E>>

/** The data of an event of an endpoint whose whole response is events. */
type EventDataOf<E extends EndpointDefinition> =
  Extract<ResultOf<E>, AsyncIterable<unknown>> extends AsyncIterable<ServerSentEventOf<infer Data>> ? Data : unknown

type RunEventData = EventDataOf<Surfaces['ai']['streamRunEvents']>

type MethodOf<E extends EndpointDefinition> = E extends { response: 'events' }
  ? Method<E, EventIterator<EventDataOf<E>>>
  : E extends { response: 'file' }
    ? Method<E, Promise<Response>>
    : E extends { response: 'json-or-events' }
      ? Method<E, CallOf<E>> & {
          /** Streams the events of the run from its beginning until it ends. A lost connection is resumed. */
          stream: Method<E, EventIterator<RunEventData>>
        }
      : Method<E, CallOf<E>>

type PublicEndpoints<S> = {
  [Name in keyof S as S[Name] extends
    | { audience: 'internal' }
    | { response: Exclude<ResponseKind, 'json' | 'json-or-events' | 'events' | 'file'> }
    ? never
    : Name]: S[Name]
}
type Surface<S> = {
  [Name in keyof PublicEndpoints<S>]: PublicEndpoints<S>[Name] extends EndpointDefinition
    ? MethodOf<PublicEndpoints<S>[Name]>
    : never
}

/** A method for every public endpoint: `client.<surface>.<verb>({ params, query, body })`. */
export type Client = { [Name in SurfaceName]: Surface<Surfaces[Name]> }
