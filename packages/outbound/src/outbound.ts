import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { createAddressRules } from './address/address-rules.ts'
import {
  type Destination,
  defaultPorts,
  type PortRange,
  parseEnteredUrl,
  parseHostPort,
  type UrlRules,
} from './address/destination.ts'
import { createLookup, type Lookup } from './address/lookup.ts'
import { Progress } from './attempt-progress.ts'
import {
  type AuthorityOptions,
  readAuthorities,
  secureContextOf,
  trustedAuthorities,
} from './connection/authorities.ts'
import { createClientIdentities } from './connection/client-certificates.ts'
import { ConnectionPool } from './connection/connection-pool.ts'
import { abortedError, CloseSignal, startDeadline } from './connection/deadline.ts'
import { dial, requireAllowedLiteral, resolveAllowedAddresses } from './connection/dial.ts'
import { type BlockedHost, OutboundError } from './error.ts'
import type { ClientContext } from './http/call.ts'
import { type OutboundRequest, type OutboundResponse, sendRequest } from './http/request.ts'
import { type OutboundStream, type OutboundStreamRequest, sendStream } from './http/stream.ts'

export interface OutboundOptions extends AuthorityOptions {
  /** CIDR blocks that may be called although they are not public. Rejected in production. */
  allowCidrs?: readonly string[]
  /** CIDR blocks that must not be called, such as the operator's ingress. Takes precedence over `allowCidrs`. */
  denyCidrs?: readonly string[]
  /** Default: 443, 8443 and 1024 to 65535. */
  ports?: readonly PortRange[]
  /** Default: hosts file and name servers of the system. */
  lookup?: Lookup
  /** Called with the reason for each host that is not called, which callers are not told. */
  onBlocked?: ((blocked: BlockedHost) => void) | undefined
  production?: boolean
  /** Maximum idle connections in total (256) and per origin (16), and maximum age for reuse (60,000 ms). */
  maxIdle?: number
  maxIdlePerOrigin?: number
  maxConnectionAgeMs?: number
}

export interface ValidatedUrl {
  url: string
  host: string
  port: number
  /** Empty if the name does not resolve to addresses that may be called. */
  addresses: readonly string[]
}

export interface ConnectOptions {
  host: string
  port: number
  /**
   * True, or the name to verify, for TLS from the first byte. Protocols with STARTTLS upgrade the socket themselves.
   */
  tls?: boolean | { servername: string }
  /** Additional allowed ports, for protocols with low ports such as SMTP. */
  ports?: readonly PortRange[]
  /** Limit for lookup, connection and handshake together; default 5,000 ms. */
  connectTimeoutMs?: number
  signal?: AbortSignal
}

/** A host and a port entered by a user. */
export interface HostToValidate {
  host: string
  port: number
  /** Additional allowed ports. */
  ports?: readonly PortRange[]
  signal?: AbortSignal
}

/** Client for addresses chosen by users. Every failure is an OutboundError. */
export interface Outbound {
  /**
   * Validates a URL when a user enters it: syntax, scheme, port, credentials, and an address in place of a name. A name
   * is accepted whatever it resolves to, since a refusal would tell names that resolve to private addresses from names
   * that do not resolve; its addresses are validated for every connection.
   *
   * @throws OutboundError with `isAddressRejected`, whose message is for the user
   */
  validateUrl(url: string | URL, rules?: UrlRules & { signal?: AbortSignal }): Promise<ValidatedUrl>
  /** As `validateUrl`, for a host and a port. Returns the allowed addresses, as `ValidatedUrl` does. */
  validateHost(destination: HostToValidate): Promise<readonly string[]>
  /** Sends one request and reads a bounded response. Resolves for any status, including redirects. */
  request(request: OutboundRequest): Promise<OutboundResponse>
  /** Sends one request and returns the body as a stream. */
  stream(request: OutboundStreamRequest): Promise<OutboundStream>
  /** Opens a raw connection under the same rules. The caller must close the socket and handle its errors. */
  connect(options: ConnectOptions): Promise<Socket>
  /** Trusted authorities, for protocols that upgrade a raw connection to TLS themselves. */
  readonly secureContext: SecureContext
  /** PEM certificates of the additional ones among them. */
  readonly authorities: readonly string[]
  /** Closes every kept-alive connection; calls in progress fail with kind `aborted`. */
  close(): void
}

/**
 * Creates a client for addresses chosen by users, protected against server-side request forgery: it resolves a name
 * once, rejects it if any of its addresses is not public unicast, and connects to the validated addresses. It follows
 * no redirects and ignores proxy variables. Longer than most functions: it is the list of what the client can do.
 *
 * @throws Error if a CIDR block or certificate is malformed, or if production allows a private range
 */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const ports = options.ports ?? defaultPorts
  const lookup = options.lookup ?? createLookup()
  const authorities = readAuthorities(options)
  let secureContext: SecureContext | undefined
  const dialer = {
    rules: createAddressRules(options),
    lookup,
    // Made for the first TLS connection: reading the certificates takes 50 ms of each start.
    get secureContext() {
      secureContext ??= secureContextOf(trustedAuthorities(authorities))
      return secureContext
    },
    onBlocked: options.onBlocked,
  }
  const pool = new ConnectionPool({
    maxIdle: options.maxIdle ?? 256,
    maxIdlePerOrigin: options.maxIdlePerOrigin ?? 16,
    maxAgeMs: options.maxConnectionAgeMs ?? 60_000,
  })
  const closeSignal = new CloseSignal()
  const identityOf = createClientIdentities(() => trustedAuthorities(authorities))
  const context: ClientContext = { dialer, pool, ports, closeSignal, identityOf }

  const resolveNow = async (destination: Destination, signal: AbortSignal | undefined) => {
    requireAllowedLiteral(dialer.rules, destination)
    const deadline = startDeadline(5_000, 'the lookup', signal, closeSignal)
    return await resolveAllowedAddresses(dialer, destination, deadline.signal)
      .catch(ignoreBlocked)
      .finally(deadline.release)
  }

  return {
    validateUrl: async (url, { signal, protocols, ports: own = ports } = {}) => {
      const destination = parseEnteredUrl(url, { protocols, ports: own })
      const addresses = await resolveNow(destination, signal)
      return { url: destination.url.href, host: destination.host, port: destination.port, addresses }
    },

    validateHost: async ({ host, port, ports: more = [], signal }) =>
      resolveNow(parseHostPort(host, port, [...ports, ...more]), signal),

    get secureContext() {
      return dialer.secureContext
    },

    authorities,

    request: (request) => sendRequest(context, request),

    stream: (request) => sendStream(context, request),

    connect: async ({ host, port, tls = false, ports: more = [], connectTimeoutMs = 5_000, signal }) => {
      const progress = new Progress()
      const deadline = startDeadline(connectTimeoutMs, 'connecting', signal, closeSignal)
      try {
        const destination = parseHostPort(host, port, [...ports, ...more])
        const servername = tls === true ? destination.host : tls === false ? undefined : tls.servername
        return await dial(dialer, destination, {
          tls: servername === undefined ? undefined : { servername },
          connectTimeoutMs,
          signal: deadline.signal,
          progress,
        })
      } catch (error) {
        throw error instanceof OutboundError ? error.withDetails(progress.details()) : error
      } finally {
        deadline.release()
      }
    },

    close: () => {
      closeSignal.abort(abortedError())
      pool.close(abortedError())
    },
  }
}

function ignoreBlocked(error: unknown): [] {
  if (error instanceof OutboundError && (error.kind === 'blocked_address' || error.kind === 'timeout')) return []
  throw error
}
