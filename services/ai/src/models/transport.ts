import type { Outbound, Protocol } from '@wp/outbound'
import { Agent, fetch } from 'undici'

/** A request to a model. */
export interface TransportRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body: string | undefined
  signal: AbortSignal | undefined
}

export interface TransportResponse {
  status: number
  headers: Readonly<Record<string, string>>
  /** Must be read to its end, or ended with `return`: that closes the connection. */
  body: AsyncIterable<Uint8Array>
}

/** Sends one request. Follows no redirects. Rejects if there is no response; the body may fail later. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>

/** From the lookup to the last byte. A run ends earlier by its own `timeout_ms`. */
const maxRequestMs = 3_600_000
const connectTimeoutMs = 10_000
/** A stream of 100,000 tokens, each in a chunk of 300 bytes, twice. */
const maxResponseBytes = 64 * 1024 * 1024

/** The ways to a model. */
export interface ModelTransports {
  /** For addresses that users chose: the guarded client, which reaches public addresses only. */
  guarded: Transport
  /**
   * For the address of the operator's model. It is not guarded: the operator configures it, as the addresses of the
   * database and the broker, and a model inside the cluster has a private address.
   */
  direct: Transport
  /** Closes the connections of the direct transport. */
  close(): Promise<void>
}

interface TransportLimits {
  /** Allowed schemes of addresses that users chose. */
  protocols: readonly Protocol[]
  /** Longest time without data from the provider, before the first byte too. */
  stallMs: number
}

export function createModelTransports(outbound: Pick<Outbound, 'stream'>, limits: TransportLimits): ModelTransports {
  const dispatcher = new Agent({
    connectTimeout: connectTimeoutMs,
    headersTimeout: limits.stallMs,
    bodyTimeout: limits.stallMs,
    maxResponseSize: maxResponseBytes,
  })
  return {
    guarded: createGuardedTransport(outbound, limits),
    direct: createDirectTransport(dispatcher),
    close: () => dispatcher.destroy(),
  }
}

function createGuardedTransport(
  outbound: Pick<Outbound, 'stream'>,
  { protocols, stallMs }: TransportLimits,
): Transport {
  return async ({ signal, ...request }) => {
    const response = await outbound.stream({
      ...request,
      protocols,
      connectTimeoutMs,
      timeoutMs: maxRequestMs,
      stallTimeoutMs: stallMs,
      maxResponseBytes,
      ...(signal === undefined ? {} : { signal }),
    })
    return { status: response.status, headers: singleValues(response.headers), body: response.body }
  }
}

const singleValues = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  )

function createDirectTransport(dispatcher: Agent): Transport {
  return async ({ url, signal, body, ...request }) => {
    const response = await fetch(url, {
      ...request,
      dispatcher,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    })
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: response.body ?? noBytes(),
    }
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
