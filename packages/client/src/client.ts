import {
  type EndpointDefinition,
  publicEndpoints,
  type RequestOf,
  type ResponseOf,
  type SurfaceName,
  surfaces,
} from '@wp/contracts'
import { type Credential, createCredentialSource } from './credentials.ts'
import { ApiError } from './errors.ts'
import { buildRequest, type CallOptions, type EndpointInput } from './request.ts'
import { readResult } from './result.ts'
import { rejectOnAbort, send } from './send.ts'

export interface ClientOptions {
  /** `https://…`, without a trailing path. */
  baseUrl: string
  credential: Credential
  /** Sent as `x-workspace-key`, where the credential embeds no workspace. */
  workspaceId?: string
  /** For one attempt; default 30,000. Uploads have no limit of their own. */
  timeoutMs?: number
  /** Further attempts after 429, 502, 503, 504 or a broken connection; default 2. */
  maxRetries?: number
}

type Surfaces = typeof surfaces

/** The parts an endpoint takes: those with something required in them must be given. */
type CallInput<E extends EndpointDefinition> = {
  [Part in keyof RequestOf<E> as IsOptionalPart<RequestOf<E>[Part]> extends true ? never : Part]: RequestOf<E>[Part]
} & { [Part in keyof RequestOf<E>]?: RequestOf<E>[Part] }
type IsOptionalPart<Part> = Part extends undefined ? true : Record<never, never> extends Part ? true : false

type Call<E extends EndpointDefinition> =
  Record<never, never> extends CallInput<E>
    ? (input?: CallInput<E>, options?: CallOptions) => Promise<ResponseOf<E>>
    : (input: CallInput<E>, options?: CallOptions) => Promise<ResponseOf<E>>

type PublicEndpoints<S> = {
  [Name in keyof S as S[Name] extends { audience: 'internal' } | { browser: true } ? never : Name]: S[Name]
}
type Surface<S> = {
  [Name in keyof PublicEndpoints<S>]: PublicEndpoints<S>[Name] extends EndpointDefinition
    ? Call<PublicEndpoints<S>[Name]>
    : never
}

/** A method for every public endpoint but those that browsers open: `client.<surface>.<verb>({ params, query, body })`. */
export type Client = { [Name in SurfaceName]: Surface<Surfaces[Name]> }

/**
 * A client of the platform, made from the contracts. A list answers one page `{ items, nextCursor }`; `paginate` walks
 * all of them. An endpoint with several successful statuses answers `{ outcome, data }`. A token that is refused is
 * renewed once, but not for a body that was streamed: that one cannot be sent again.
 *
 * @throws ApiError from every call that is answered with an error; what `fetch` throws where there is no answer; the
 *   reason of a signal that was aborted
 */
export function createClient(options: ClientOptions): Client {
  const { maxRetries = 2, timeoutMs = 30_000 } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const workspace = options.workspaceId === undefined ? {} : { 'x-workspace-key': options.workspaceId }
  const credentials = createCredentialSource(options.credential, async (body) => {
    const request = buildRequest(baseUrl, surfaces.auth.exchangeToken, { body }, {})
    const { body: token } = await send(request, {}, { signal: undefined, timeoutMs, maxRetries })
    return token as { access_token: string; expires_in: number } // the token response of the contract
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
    if (definition.browser === true) continue
    const [surface = '', verb = ''] = definition.id.split('.')
    client[surface] ??= {}
    client[surface][verb] = (input: EndpointInput = {}, callOptions: CallOptions = {}) =>
      call(definition, input, callOptions)
  }
  return client as unknown as Client // built from the same contracts the type is made of
}

/** Walks every item of a list, page by page. */
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
