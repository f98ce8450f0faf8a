import type { EndpointDefinition, LimitClass } from '@wp/contracts'
import { integer } from '@wp/service'
import { z } from 'zod'
import type { CircuitPolicy } from './circuit-breaker.ts'
import type { SlowBodyPolicy } from './request-body.ts'

/** Environment variables of forwarding and of the time limits. */
export const forwardConfig = {
  /** Maximum silence of a service before and within its response. */
  UPSTREAM_TIMEOUT_SECONDS: integer(1, 600).default(30),
  /** The same for endpoints of the limit class `upload`. */
  UPLOAD_TIMEOUT_SECONDS: integer(1, 7200).default(900),
  /** The same for endpoints of the limit class `long`. */
  LONG_TIMEOUT_SECONDS: integer(1, 7200).default(600),
  /** Maximum silence of an event stream, whose total duration is not limited. */
  SSE_IDLE_SECONDS: integer(1, 3600).default(120),
  UPSTREAM_CONNECT_SECONDS: integer(1, 60).default(5),
  /** Maximum number of connections to one address of a service. */
  UPSTREAM_CONNECTIONS: integer(1, 65_535).default(256),
  /** Consecutive failures to reach a service that open its circuit breaker. */
  BREAKER_FAILURES: integer(1, 1000).default(5),
  BREAKER_OPEN_SECONDS: integer(1, 600).default(2),
  /** Minimum speed of a request body, averaged over each window in which the edge reads it. */
  BODY_MIN_BYTES_PER_SECOND: integer(1, 1_000_000).default(100),
  BODY_WINDOW_SECONDS: integer(1, 600).default(30),
  /** Maximum time from the first byte of a connection or request to the end of its head. */
  HEADERS_TIMEOUT_SECONDS: integer(1, 600).default(15),
  /** Maximum size of the head of a request. Services accept twice the default. */
  MAX_HEADER_BYTES: integer(1024, 24_576).default(16_384),
  MAX_HEADERS: integer(10, 1000).default(100),
}

const shape = z.object(forwardConfig)
type ForwardConfig = z.output<typeof shape>

/** Returns the settings of the forwarder. */
export const forwardSettings = (config: ForwardConfig) => ({
  connections: config.UPSTREAM_CONNECTIONS,
  connectMs: 1000 * config.UPSTREAM_CONNECT_SECONDS,
  eventsIdleMs: 1000 * config.SSE_IDLE_SECONDS,
  circuit: {
    failures: config.BREAKER_FAILURES,
    openMs: 1000 * config.BREAKER_OPEN_SECONDS,
  } satisfies CircuitPolicy,
  slowBody: {
    bytesPerSecond: config.BODY_MIN_BYTES_PER_SECOND,
    windowMs: 1000 * config.BODY_WINDOW_SECONDS,
  } satisfies SlowBodyPolicy,
})

/** Returns a function that gives the idle timeout of an endpoint, in milliseconds. */
export function createIdleTimeout(config: ForwardConfig): (definition: EndpointDefinition) => number {
  const seconds: Record<LimitClass, number> = {
    default: config.UPSTREAM_TIMEOUT_SECONDS,
    token: config.UPSTREAM_TIMEOUT_SECONDS,
    upload: config.UPLOAD_TIMEOUT_SECONDS,
    long: config.LONG_TIMEOUT_SECONDS,
    metadata: config.UPSTREAM_TIMEOUT_SECONDS,
  }
  return ({ limitClass = 'default' }) => 1000 * seconds[limitClass]
}

/** Returns the options of Node's HTTP server that limit the time and size of request heads. */
export const serverLimits = (config: ForwardConfig) => ({
  keepAliveTimeout: 75_000,
  headersTimeout: 1000 * config.HEADERS_TIMEOUT_SECONDS,
  // how often Node checks `headersTimeout`
  connectionsCheckingInterval: Math.min(5000, 250 * config.HEADERS_TIMEOUT_SECONDS),
  // slow bodies are detected where they are forwarded
  requestTimeout: 0,
  maxHeaderSize: config.MAX_HEADER_BYTES,
})
