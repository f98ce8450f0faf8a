import type { Outbound } from '@wp/outbound'
import type { CustomFetch } from 'openid-client'

/** More than the size of any provider's key set or token response. */
const maxBytes = 262_144
const timeoutMs = 10_000

/**
 * Creates a `fetch` for openid-client that uses the guarded outbound client.
 * @param isHttpAllowed allows http, for providers on loopback
 */
export function createOutboundFetch(outbound: Pick<Outbound, 'request'>, isHttpAllowed: boolean): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const response = await outbound.request({
      url,
      method,
      headers: { 'user-agent': 'workspace-platform', ...headers },
      body: serializeForm(body),
      protocols: isHttpAllowed ? ['https:', 'http:'] : ['https:'],
      timeoutMs,
      maxResponseBytes: maxBytes,
      keepResponseBytes: maxBytes,
      ...(signal === undefined ? {} : { signal }),
    })
    if (response.truncated) throw new Error(`the response of ${new URL(url).host} exceeds ${maxBytes} bytes`)
    const isEmpty = response.status === 204 || response.status === 304
    return new Response(isEmpty ? null : new Uint8Array(response.body), {
      status: response.status,
      headers: Object.entries(response.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      ),
    })
  }
}

/** openid-client sends only forms. */
function serializeForm(body: Parameters<CustomFetch>[1]['body']): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString()
  throw new Error('unsupported request body: only forms are sent to a provider')
}
