import {
  type EndpointDefinition,
  publicEndpoints,
  type RequestOf,
  type ResponseKind,
  type ResponseOf,
  respondsWithJson,
  type SurfaceName,
  surfaces,
} from '@wp/contracts'
import { type Credential, createCredentialSource } from './credentials.ts'
import { ApiError } from './errors.ts'
import { buildRequest, type CallOptions, type EndpointInput } from './request.ts'
import { readResult } from './result.ts'
import { rejectOnAbort, send } from './send.ts'

export interface ClientOptions {
  /** Address of the platform: `https://…`, without a path. */
  baseUrl: string
  credential: Credential
  /** Sent as `x-workspace-key`. Required if the credential does not name a workspace. */
  workspaceId?: string
  /** Time limit of one attempt, default 30,000. Uploads have none. */
  timeoutMs?: number
  /** Retries after 429, 502, 503, 504 or a broken connection, default 2. */
  maxRetries?: number
}

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

/**
 * Creates a client of the platform from the contracts. A list returns a page `{ items, nextCursor }`; `paginate` iterates
 * over all of them. An endpoint with several success statuses returns `{ status, data }`. A rejected token is renewed and
 * the call repeated once, unless its body was a stream, which cannot be sent again.
 *
 * Calls reject with ApiError for an error response, with the error of `fetch` if there is no response, and with the
 * reason of an aborted signal.
 */
export function createClient(options: ClientOptions): Client {
  const { maxRetries = 2, timeoutMs = 30_000 } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const workspace = options.workspaceId === undefined ? {} : { 'x-workspace-key': options.workspaceId }
  const credentials = createCredentialSource(options.credential, async (body) => {
    const request = buildRequest(baseUrl, surfaces.auth.exchangeToken, { body }, {})
    const { body: token } = await send(request, {}, { signal: undefined, timeoutMs, maxRetries })
    return token as { access_token: string; expires_in: number } // declared by the contract
  })

  async function call(
    definition: EndpointDefinition,
    input: EndpointInput,
    callOptions: CallOptions,
  ): Promise<unknown> {
    const { signal } = callOptions
    const request = buildRequest(baseUrl, definition, input, callOptions)
    const limits = { signal, timeoutMs: definition.input === 'stream' ? undefined : timeoutMs, maxRetries }
    if (definition.credentials === 'none') return readResult(definition, await send(request, {}, limits))
    const authHeaders = await rejectOnAbort(credentials.headers(), signal)
    try {
      return readResult(definition, await send(request, { ...workspace, ...authHeaders }, limits))
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      const renewedHeaders = await rejectOnAbort(credentials.renew(authHeaders), signal)
      if (renewedHeaders === undefined || !request.isRepeatable) throw error
      return readResult(definition, await send(request, { ...workspace, ...renewedHeaders }, limits))
    }
  }

  const client: Record<string, Record<string, unknown>> = {}
  for (const { definition } of publicEndpoints) {
    if (!respondsWithJson(definition)) continue
    const [surface = '', verb = ''] = definition.id.split('.')
    client[surface] ??= {}
    client[surface][verb] = (input: EndpointInput = {}, callOptions: CallOptions = {}) =>
      call(definition, input, callOptions)
  }
  return client as unknown as Client // built from the contracts that define the type
}

/** Iterates over all items of a list. The next page is requested when the items of the previous one are used up. */
export async function* paginate<T>(
  list: (cursor: string | undefined) => Promise<{ items: T[]; nextCursor: string | null }>,
): AsyncGenerator<T> {
  let cursor: string | undefined
  do {
    const page = await list(cursor)
    yield* page.items
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}
