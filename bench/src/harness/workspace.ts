import { setTimeout as pause } from 'node:timers/promises'

/** A workspace of the fleet, as its owner uses it. */
export interface Workspace {
  baseUrl: string
  apiKey: string
  /** Access tokens that the edge has not seen. */
  tokens: string[]
}

export interface Sent {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the response of an endpoint, which the caller knows
  body: any
}

interface SendOptions {
  /** Sent as JSON, or unchanged if it is text. */
  body?: unknown
  /** A bearer token in place of the API key; null for none. */
  token?: string | null
  contentType?: string
  signal?: AbortSignal
}

/** Sends a request to the edge. */
export async function send(
  { baseUrl, apiKey }: Pick<Workspace, 'baseUrl' | 'apiKey'>,
  method: string,
  path: string,
  { body, token, contentType = 'application/json', signal }: SendOptions = {},
): Promise<Sent> {
  const credential =
    token === null ? {} : token === undefined ? { 'x-api-key': apiKey } : { authorization: `Bearer ${token}` }
  const response = await fetch(baseUrl + path, {
    method,
    headers: { ...credential, ...(body === undefined ? {} : { 'content-type': contentType }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}

/** Sends a request that must succeed, also after a rate limit, and returns `data` of its response. */
export async function sendOk(...request: Parameters<typeof send>): Promise<Sent['body']> {
  for (;;) {
    const { status, body } = await send(...request)
    if (status >= 200 && status < 300) return body.data
    if (status !== 429) throw new Error(`${request[1]} ${request[2]}: ${status} ${JSON.stringify(body)}`)
    await pause(1_000)
  }
}
