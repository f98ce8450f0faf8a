import {
  type EndpointDefinition,
  outcomesOf,
  publicEndpoints,
  type RequestOf,
  type ResultOf,
  surfaces,
  type UploadBody,
} from '@wp/contracts'
import { type Credential, createCredentialSource } from './credentials.ts'
import { ApiError } from './errors.ts'
import { isRetryable, retryDelayMs } from './retry.ts'

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

type Public = typeof surfaces
type Given<E extends EndpointDefinition> = {
  [Part in keyof RequestOf<E> as RequestOf<E>[Part] extends undefined
    ? never
    : Record<never, never> extends RequestOf<E>[Part]
      ? never
      : Part]: RequestOf<E>[Part]
} & { [Part in keyof RequestOf<E>]?: RequestOf<E>[Part] }

/** Options of one call. */
export interface CallOptions {
  signal?: AbortSignal
  /** A retry of yours under the same key is answered as the first time; one is made where you give none. */
  idempotencyKey?: string
  headers?: Record<string, string>
}

type Call<E extends EndpointDefinition> = (input: Given<E>, options?: CallOptions) => Promise<ResultOf<E>>
type PublicOnly<S> = { [Name in keyof S as S[Name] extends { audience: 'internal' } ? never : Name]: S[Name] }
type Surface<S> = {
  [Name in keyof PublicOnly<S>]: PublicOnly<S>[Name] extends EndpointDefinition ? Call<PublicOnly<S>[Name]> : never
}

/** A method for every public endpoint: `client.<surface>.<verb>({ params, query, body })`. */
export type Client = { [Name in Exclude<keyof Public, 'webhook-delivery'>]: Surface<Public[Name]> }

/**
 * A client of the platform, made from the contracts. A list answers one page `{ items, nextCursor }`; `paginate` walks
 * all of them. An endpoint with several successful statuses answers `{ outcome, data }`.
 * @throws ApiError from every call that is answered with an error
 */
export function createClient(options: ClientOptions): Client {
  const { maxRetries = 2, timeoutMs = 30_000 } = options
  const base = options.baseUrl.replace(/\/+$/, '')
  const exchange = (body: Record<string, string>) => send(surfaces.auth.exchangeToken, { body }, {}, {})
  const credentials = createCredentialSource(
    options.credential,
    async (body) => (await exchange(body)) as { access_token: string; expires_in: number },
  ) // the token response of the contract
  const workspace = options.workspaceId === undefined ? {} : { 'x-workspace-key': options.workspaceId }

  async function call(definition: EndpointDefinition, input: Input, callOptions: CallOptions = {}): Promise<unknown> {
    const own = definition.credentials === 'none' ? async () => ({}) : credentials.headers
    try {
      return await send(definition, input, { ...workspace, ...(await own()) }, callOptions)
    } catch (error) {
      const expired = error instanceof ApiError && error.status === 401 && credentials.refused()
      if (!expired) throw error
      return send(definition, input, { ...workspace, ...(await own()) }, callOptions)
    }
  }

  async function send(
    definition: EndpointDefinition,
    input: Input,
    identity: Record<string, string>,
    callOptions: CallOptions,
  ) {
    const url = new URL(base + fillPath(definition.path, input.params ?? {}))
    for (const [name, value] of Object.entries(input.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value))
    const { headers, body, replayable } = bodyOf(definition, input.body)
    const writes = (definition.method === 'POST' || definition.method === 'PATCH') && definition.input === undefined
    const key = callOptions.idempotencyKey ?? (writes ? crypto.randomUUID() : undefined)
    const all = {
      ...headers,
      ...identity,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...callOptions.headers,
    }
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await once(url, definition.method, all, body, signalOf(definition, callOptions)).catch(
        (error: unknown) => ({ error }),
      )
      if ('response' in outcome && outcome.response.ok)
        return resultOf(definition, outcome.response.status, outcome.answer)
      callOptions.signal?.throwIfAborted()
      const mayRepeat = replayable && attempt < maxRetries && isRetryable(outcome)
      if (mayRepeat) await new Promise((resolve) => setTimeout(resolve, retryDelayMs(attempt, outcome, Math.random())))
      else if ('error' in outcome) throw outcome.error
      else throw new ApiError(outcome.response.status, asRecord(outcome.answer))
    }
  }

  const signalOf = (definition: EndpointDefinition, { signal }: CallOptions): AbortSignal | null => {
    const limits = [
      ...(signal === undefined ? [] : [signal]),
      ...(definition.input === 'stream' ? [] : [AbortSignal.timeout(timeoutMs)]),
    ]
    return limits.length === 0 ? null : AbortSignal.any(limits)
  }

  const client: Record<string, Record<string, unknown>> = {}
  for (const { definition } of publicEndpoints) {
    const [surface = '', verb = ''] = definition.id.split('.')
    client[surface] ??= {}
    client[surface][verb] = (input: Input = {}, callOptions?: CallOptions) => call(definition, input, callOptions)
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

interface Input {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream | undefined

async function once(url: URL, method: string, headers: Record<string, string>, body: Body, signal: AbortSignal | null) {
  const init = {
    method,
    headers,
    signal,
    redirect: 'error' as const,
    ...(body === undefined ? {} : { body, duplex: 'half' as const }),
  }
  const response = await fetch(url, init)
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return { response, answer: isJson && text !== '' ? (JSON.parse(text) as unknown) : text }
}

function bodyOf(
  definition: EndpointDefinition,
  body: unknown,
): { headers: Record<string, string>; body: Body; replayable: boolean } {
  if (body === undefined) return { headers: {}, body: undefined, replayable: true }
  if (definition.input !== 'stream')
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), replayable: true }
  const { contentType, content } = body as UploadBody // the body of a stream endpoint, by its type
  const headers = { 'content-type': contentType }
  if (typeof content === 'string') return { headers, body: content, replayable: true }
  if (content instanceof Uint8Array) return { headers, body: new Uint8Array(content), replayable: true }
  return { headers, body: ReadableStream.from(content), replayable: false }
}

function resultOf(definition: EndpointDefinition, status: number, answer: unknown): unknown {
  if (definition.bare !== undefined) return answer
  const { data, pagination } = asRecord(answer)
  if (definition.list !== undefined) return { items: data, nextCursor: asRecord(pagination).next_cursor ?? null }
  if (definition.deleted !== undefined) return { id: asRecord(data)[definition.deleted] }
  if (outcomesOf(definition).length === 1) return data
  return { outcome: status === 200 ? 'ok' : status === 201 ? 'created' : 'accepted', data }
}

const fillPath = (path: string, params: Record<string, unknown>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {} // an object's members can be read by name
