import type { EndpointDefinition, LimitClass } from '@wp/contracts'
import { integer } from '@wp/service'
import { z } from 'zod'
import type { CircuitPolicy } from './circuit-breaker.ts'
import type { SlowBodyPolicy } from './slow-body-timeout.ts'

/** What the edge is told of its way to services, and of how long it waits. */
export const forwardConfig = {
  /** How long a service may be silent before and within its answer. */
  UPSTREAM_TIMEOUT_SECONDS: integer(1, 600).default(30),
  /** The same for uploads. */
  UPLOAD_TIMEOUT_SECONDS: integer(1, 7200).default(900),
  /** The same for what takes long by its nature: endpoints of the class `long`. */
  LONG_TIMEOUT_SECONDS: integer(1, 7200).default(600),
  /** A stream of events may last for ever, but not be silent for longer. */
  SSE_IDLE_SECONDS: integer(1, 3600).default(120),
  UPSTREAM_CONNECT_SECONDS: integer(1, 60).default(5),
  /** Connections to one address of a service, at most. */
  UPSTREAM_CONNECTIONS: integer(1, 65_535).default(256),
  /** Failures to reach a service, one after the other, after which it is not asked for a while. */
  BREAKER_FAILURES: integer(1, 1000).default(5),
  BREAKER_OPEN_SECONDS: integer(1, 600).default(2),
  /** A body must arrive at this speed, on the average of each such window in which it is read. */
  BODY_MIN_BYTES_PER_SECOND: integer(1, 1_000_000).default(100),
  BODY_WINDOW_SECONDS: integer(1, 600).default(30),
  /** How long a connection may take to send the head of a request, from its beginning. */
  HEADERS_TIMEOUT_SECONDS: integer(1, 600).default(15),
  /** Size of the head of a request; services take twice the default. */
  MAX_HEADER_BYTES: integer(1024, 24_576).default(16_384),
  MAX_HEADERS: integer(10, 1000).default(100),
}

const shape = z.object(forwardConfig)
type ForwardConfig = z.output<typeof shape>

/** How the carriers are set up. */
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

/** How long a service may be silent, in milliseconds, by the endpoint's class. */
export function createIdleTimeout(config: ForwardConfig): (definition: EndpointDefinition) => number {
  const seconds: Record<LimitClass, number> = {
    default: config.UPSTREAM_TIMEOUT_SECONDS,
    token: config.UPSTREAM_TIMEOUT_SECONDS,
    upload: config.UPLOAD_TIMEOUT_SECONDS,
    long: config.LONG_TIMEOUT_SECONDS,
  }
  return ({ limitClass = 'default' }) => 1000 * seconds[limitClass]
}

/** What Node's server is told of heads that come slowly, or are too large. */
export const serverLimits = (config: ForwardConfig) => ({
  keepAliveTimeout: 75_000,
  headersTimeout: 1000 * config.HEADERS_TIMEOUT_SECONDS,
  // how often somebody looks
  connectionsCheckingInterval: Math.min(5000, 250 * config.HEADERS_TIMEOUT_SECONDS),
  // a body is timed where it is forwarded
  requestTimeout: 0,
  maxHeaderSize: config.MAX_HEADER_BYTES,
})
