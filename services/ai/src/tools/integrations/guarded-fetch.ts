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
}

/** Creates a `fetch` over the guarded client, for libraries that take one. Follows no redirects. */
export const createGuardedFetch =
  ({ outbound, protocols, signal, timeoutMs, maxResponseBytes, onResponse }: GuardedFetchOptions) =>
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
      return new Response(ReadableStream.from(response.body), { status: response.status, headers: received })
    response.body.destroy()
    return new Response(null, { status: response.status, headers: received })
  }

/** Responses with these statuses cannot have a body. */
const bodylessStatuses = new Set([204, 205, 304])
