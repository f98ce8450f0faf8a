import type { FieldError } from '@wp/contracts'
import { parseJson } from '@wp/runtime'
import { ConnectionFailure } from './connection-failure.ts'
import type { TestAccess } from './provider.ts'

interface Call {
  url: string
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** A provider's response. */
export interface ProviderResponse {
  status: number
  /** Undefined if the body is not JSON. */
  json: unknown
  text: string
}

/** More than any response a test needs. */
const maxBytes = 1_048_576

/** Sends one request through the guarded client. @throws OutboundError */
export async function callProvider(
  { outbound, timeoutMs, protocols, signal }: TestAccess,
  call: Call,
): Promise<ProviderResponse> {
  const response = await outbound.request({
    ...call,
    headers: { 'user-agent': 'workspace-platform', accept: 'application/json', ...call.headers },
    protocols,
    signal,
    timeoutMs,
    connectTimeoutMs: timeoutMs,
    maxResponseBytes: maxBytes,
    keepResponseBytes: maxBytes,
  })
  const text = response.body.toString('utf8')
  return { status: response.status, json: parseJson(text), text }
}

/** Throws unless the status is 2xx. @throws ConnectionFailure */
export function throwOnErrorStatus({ status }: ProviderResponse, peer = 'The provider'): void {
  if (status === 401 || status === 403 || status === 407)
    throw new ConnectionFailure('unauthorized', `${peer} answered ${status}: it rejected the credentials`)
  if (status === 404) throw new ConnectionFailure('not_found', `${peer} answered 404: nothing exists at this address`)
  if (status === 429 || status >= 500)
    throw new ConnectionFailure('unavailable', `${peer} answered ${status}: it is unavailable`)
  if (status < 200 || status > 299)
    throw new ConnectionFailure('protocol', `${peer} sent the unexpected status ${status}`)
}

interface Config {
  client_id?: string | undefined
}
interface Secrets {
  client_secret?: string | undefined
  token?: string | undefined
}

/** Requires a complete OAuth client, a token, or both. */
export function checkClientOrToken({ client_id: id }: Config, { client_secret: secret, token }: Secrets): FieldError[] {
  if (secret !== undefined && id === undefined) return [{ pointer: '/config/client_id', detail: 'is required' }]
  if (id !== undefined && secret === undefined) return [{ pointer: '/secrets/client_secret', detail: 'is required' }]
  if (secret === undefined && token === undefined) return [{ pointer: '/secrets/token', detail: 'is required' }]
  return []
}
