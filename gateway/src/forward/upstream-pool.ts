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

/** For an upstream that announces no time. */
const keepAliveMs = 30_000
/** Far shorter than services keep a connection, so that they never close one that a request is sent on. */
export const maxKeepAliveMs = 60_000

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
