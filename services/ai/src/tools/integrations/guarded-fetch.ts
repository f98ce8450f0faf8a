import type { Outbound, Protocol } from '@wp/outbound'

interface GuardedFetchOptions {
  outbound: Pick<Outbound, 'stream'>
  protocols: readonly Protocol[]
  /** Ends every request. */
  signal: AbortSignal
  timeoutMs: number
  maxResponseBytes: number
  /** Called with the status of each response. */
  onResponse?: (status: number) => void
  /** Called when the body of a response fails, of which a library may tell nothing while it waits for more. */
  onBodyFailure?: (error: unknown) => void
}

/** Creates a `fetch` over the guarded client, for libraries that take one. Follows no redirects. */
export const createGuardedFetch =
  ({ outbound, protocols, signal, timeoutMs, maxResponseBytes, onResponse, onBodyFailure }: GuardedFetchOptions) =>
  async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { body, method = 'GET', headers, signal: ofRequest } = init
    if (typeof body !== 'string' && body !== undefined && body !== null)
      throw new Error('unsupported request body: only text is sent')
    const response = await outbound.stream({
      url: input,
      method,
      headers: { ...Object.fromEntries(new Headers(headers)), 'user-agent': 'workspace-platform' },
      body: body ?? undefined,
      protocols,
      signal: ofRequest ? AbortSignal.any([signal, ofRequest]) : signal,
      timeoutMs,
      connectTimeoutMs: timeoutMs,
      maxResponseBytes,
    })
    onResponse?.(response.status)
    const received = new Headers()
    for (const [name, value] of Object.entries(response.headers))
      if (value !== undefined) received.set(name, [value].flat().join(', '))
    if (!bodylessStatuses.has(response.status))
      return new Response(ReadableStream.from(readBody(response.body, onBodyFailure)), {
        status: response.status,
        headers: received,
      })
    response.body.destroy()
    return new Response(null, { status: response.status, headers: received })
  }

async function* readBody(
  body: AsyncIterable<Uint8Array>,
  onFailure: GuardedFetchOptions['onBodyFailure'],
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    onFailure?.(error)
    throw error
  }
}

/** Responses with these statuses cannot have a body. */
const bodylessStatuses = new Set([204, 205, 304])
