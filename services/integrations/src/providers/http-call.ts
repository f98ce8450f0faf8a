import { ConnectionFailure } from '../connections/failure.ts'
import type { Outside } from './provider.ts'

interface Call {
  url: string
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** A provider's answer. */
export interface HttpAnswer {
  status: number
  /** Undefined where it is no JSON. */
  json: unknown
  text: string
}

/** More than any answer a test is made of. */
const maxBytes = 1_048_576

/** One request through the guarded client. @throws OutboundError */
export async function callProvider({ outbound, timeoutMs, protocols }: Outside, call: Call): Promise<HttpAnswer> {
  const answer = await outbound.request({
    ...call,
    headers: { 'user-agent': 'workspace-platform', accept: 'application/json', ...call.headers },
    protocols,
    timeoutMs,
    connectTimeoutMs: timeoutMs,
    maxResponseBytes: maxBytes,
    keepResponseBytes: maxBytes,
  })
  const text = answer.body.toString('utf8')
  return { status: answer.status, json: parse(text), text }
}

/** Refuses what no answer to good credentials is. @throws ConnectionFailure */
export function refuseFailure({ status }: HttpAnswer, who = 'The provider'): void {
  if (status === 401 || status === 403 || status === 407)
    throw new ConnectionFailure('unauthorized', `${who} answered ${status}: it refuses the credentials`)
  if (status === 404) throw new ConnectionFailure('not_found', `${who} answered 404: there is nothing at this address`)
  if (status === 429 || status >= 500)
    throw new ConnectionFailure('unavailable', `${who} answered ${status}: it cannot serve now`)
  if (status < 200 || status > 299)
    throw new ConnectionFailure('protocol', `${who} answered ${status}, which was not expected`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
