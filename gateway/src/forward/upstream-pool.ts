import { Pool } from 'undici'

/** The connections to one address of a service. */
export interface UpstreamPool {
  /** Keeps connections open. */
  pooled: Pool
  /** Opens a connection for each request. */
  unpooled: Pool
  /** Path of the address itself, without a trailing slash. */
  prefix: string
  /** Requests sent or waiting for a connection. */
  inFlight: number
}

export interface UpstreamPoolOptions {
  /** Maximum number of connections to one address; further requests wait. */
  connections: number
  connectMs: number
}

/** Services announce a keep-alive of 65 s; this is the default for an upstream that announces none. */
const keepAliveMs = 30_000
const maxKeepAliveMs = 60_000

export function createUpstreamPool(target: string, { connections, connectMs }: UpstreamPoolOptions): UpstreamPool {
  const { origin, pathname } = new URL(target)
  const options = {
    connections,
    connectTimeout: connectMs,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: maxKeepAliveMs,
    allowH2: false,
  }
  return {
    pooled: new Pool(origin, { ...options, pipelining: 1 }),
    unpooled: new Pool(origin, { ...options, pipelining: 0 }),
    prefix: pathname.replace(/\/$/, ''),
    inFlight: 0,
  }
}
