import { request } from 'undici'

/** A cluster of OpenSearch. Requests go to its nodes in turns; one that does not respond is left out for a time. */
export interface OpenSearchClient {
  /**
   * Sends a request, if necessary to several nodes one after the other. Every request may arrive twice.
   * @param body an object is sent as JSON, a text as NDJSON
   * @returns the parsed body of the response
   * @throws SearchEngineUnavailable if no node responds in time; SearchEngineError if the request is rejected; the
   *   reason of the signal
   */
  request(method: Method, path: string, options?: RequestOptions): Promise<unknown>
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'

interface RequestOptions {
  body?: object | string
  signal?: AbortSignal | undefined
  /** Limit for all nodes together. */
  timeoutMs?: number
}

interface ClientOptions {
  /** Addresses of nodes, which may contain user and password. */
  urls: readonly URL[]
  /** Default limit of a request. */
  timeoutMs: number
  /** Milliseconds, monotonic. */
  now?: () => number
}

/** Time for which a node that did not respond is asked last. */
const nodePauseMs = 5_000
/** The node may respond later, or another node may. */
const retriedStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

/**
 * Creates the client. The addresses are those of the operator, as those of the database, and are not guarded. A small
 * module instead of the official client: few kinds of requests are needed, and the failover between nodes must end
 * within the time limit of a search.
 */
export function createOpenSearchClient({ urls, timeoutMs, now = () => performance.now() }: ClientOptions) {
  const nodes = urls.map(toNode)
  let turn = 0

  /** Returns all nodes, those that did not respond last, each of both groups in turns. */
  function orderNodes(): SearchNode[] {
    turn = (turn + 1) % nodes.length
    const rotated = [...nodes.slice(turn), ...nodes.slice(0, turn)]
    const time = now()
    return rotated.toSorted((a, b) => Number(a.pausedUntil > time) - Number(b.pausedUntil > time))
  }

  const client: OpenSearchClient = {
    async request(method, path, { body, signal, timeoutMs: limitMs = timeoutMs } = {}) {
      const attemptMs = Math.ceil(limitMs / nodes.length)
      let last: unknown
      for (const node of orderNodes()) {
        const attemptSignal = AbortSignal.any([
          ...(signal === undefined ? [] : [signal]),
          AbortSignal.timeout(attemptMs),
        ])
        try {
          return await send(node, method, path, body, attemptSignal)
        } catch (error) {
          signal?.throwIfAborted()
          if (error instanceof SearchEngineError) throw error
          node.pausedUntil = now() + nodePauseMs
          last = error
        }
      }
      throw new SearchEngineUnavailable(`no node of the search engine responds: ${reasonOf(last)}`, { cause: last })
    },
  }
  return client
}

interface SearchNode {
  origin: string
  headers: Record<string, string>
  pausedUntil: number
}

function toNode(url: URL): SearchNode {
  const { username, password } = url
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return {
    origin: url.origin,
    headers: username === '' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    pausedUntil: 0,
  }
}

async function send(
  { origin, headers }: SearchNode,
  method: Method,
  path: string,
  body: object | string | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  // Unlike `fetch`, it does not ask for compressed responses, which cost both sides more than they save.
  const { statusCode: status, body: response } = await request(origin + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal,
  })
  const text = await response.text()
  if (retriedStatuses.has(status)) throw new Error(`${status} ${text.slice(0, 300)}`)
  if (status < 200 || status > 299) throw new SearchEngineError(status, text.slice(0, 1_000))
  return text === '' ? undefined : JSON.parse(text)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

/** Thrown when no node of the search engine responds in time. */
export class SearchEngineUnavailable extends Error {
  override name = 'SearchEngineUnavailable'
}

/** Thrown when the search engine rejects a request. */
export class SearchEngineError extends Error {
  override name = 'SearchEngineError'
  readonly status: number

  /** @param response the beginning of the body */
  constructor(status: number, response: string) {
    super(`the search engine responded with ${status}: ${response}`)
    this.status = status
  }
}

/** True if an index or alias does not exist. */
export const isMissingIndex = (error: unknown): boolean => error instanceof SearchEngineError && error.status === 404
