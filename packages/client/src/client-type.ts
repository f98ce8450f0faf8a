import type { EndpointDefinition, RequestOf, ResponseKind, ResponseOf, SurfaceName, surfaces } from '@wp/contracts'
import type { CallOptions } from './request.ts'

type Surfaces = typeof surfaces

/** Parts of an endpoint's request. A part with a required member is required itself. */
type CallInput<E extends EndpointDefinition> = {
  [Part in keyof RequestOf<E> as IsOptionalPart<RequestOf<E>[Part]> extends true ? never : Part]: RequestOf<E>[Part]
} & { [Part in keyof RequestOf<E>]?: RequestOf<E>[Part] }
type IsOptionalPart<Part> = Part extends undefined ? true : Record<never, never> extends Part ? true : false

type Call<E extends EndpointDefinition> =
  Record<never, never> extends CallInput<E>
    ? (input?: CallInput<E>, options?: CallOptions) => Promise<ResponseOf<E>>
    : (input: CallInput<E>, options?: CallOptions) => Promise<ResponseOf<E>>

type PublicEndpoints<S> = {
  [Name in keyof S as S[Name] extends
    | { audience: 'internal' }
    | { response: Exclude<ResponseKind, 'json' | 'json-or-events'> }
    ? never
    : Name]: S[Name]
}
type Surface<S> = {
  [Name in keyof PublicEndpoints<S>]: PublicEndpoints<S>[Name] extends EndpointDefinition
    ? Call<PublicEndpoints<S>[Name]>
    : never
}

/** A method for every public JSON endpoint: `client.<surface>.<verb>({ params, query, body })`. */
export type Client = { [Name in SurfaceName]: Surface<Surfaces[Name]> }
