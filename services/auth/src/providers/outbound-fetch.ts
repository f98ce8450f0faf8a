import type { Outbound } from '@wp/outbound'
import type { CustomFetch } from 'openid-client'

/** More than any provider's keys or token answer. */
const maxBytes = 262_144
const timeoutMs = 10_000

/**
 * `fetch` as openid-client takes it, over the guarded client.
 * @param isPlain whether http is allowed, for providers on loopback
 */
export function outboundFetch(outbound: Pick<Outbound, 'request'>, isPlain: boolean): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await outbound.request({
      url,
      method,
      headers: { 'user-agent': 'workspace-platform', ...headers },
      body: textOf(body),
      protocols: isPlain ? ['https:', 'http:'] : ['https:'],
      timeoutMs,
      maxResponseBytes: maxBytes,
      keepResponseBytes: maxBytes,
      ...(signal === undefined ? {} : { signal }),
    })
    if (answer.truncated) throw new Error(`${new URL(url).host} answered more than ${maxBytes} bytes`)
    const isEmpty = answer.status === 204 || answer.status === 304
    return new Response(isEmpty ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      ),
    })
  }
}

/** openid-client sends forms and nothing else. */
function textOf(body: Parameters<CustomFetch>[1]['body']): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString()
  throw new Error('a provider is only ever sent a form')
}
