import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { createAddressRules } from './address/address-rules.ts'
import {
  type Destination,
  defaultPorts,
  type PortRange,
  parseHostPort,
  parseUrl,
  type UrlRules,
} from './address/destination.ts'
import { createLookup, type Lookup } from './address/lookup.ts'
import { CloseSignal } from './connection/close-signal.ts'
import { ConnectionPool } from './connection/connection-pool.ts'
import { abortedError, startDeadline } from './connection/deadline.ts'
import { dial, resolveAllowedAddresses } from './connection/dial.ts'
import { OutboundError } from './error.ts'
import type { ClientContext } from './http/call.ts'
import { Progress } from './http/progress.ts'
import { type OutboundRequest, type OutboundResponse, sendRequest } from './http/request.ts'
import { type OutboundStream, type OutboundStreamRequest, sendStream } from './http/stream.ts'

export interface OutboundOptions {
  /** CIDR blocks that may be called although they are not public. Refused in production. */
  allowCidrs?: readonly string[]
  /** CIDR blocks that are never called, such as the operator's own ingress. Beats `allowCidrs`. */
  denyCidrs?: readonly string[]
  /** By default 443, 8443 and 1024 upwards. */
  ports?: readonly PortRange[]
  /** PEM certificates of authorities that are trusted beside the system's: a file, or the text itself. */
  caFile?: string | undefined
  ca?: string | Buffer | undefined
  /** The hosts file and the system's name servers by default. */
  lookup?: Lookup
  production?: boolean
  /** Kept-alive connections in all (256) and to one origin (16), and how long one is used at most (60,000 ms). */
  maxIdle?: number
  maxIdlePerOrigin?: number
  maxConnectionAgeMs?: number
}

export interface ValidatedUrl {
  url: string
  host: string
  port: number
  /** Empty when the name does not resolve yet. */
  addresses: readonly string[]
}

export interface ConnectOptions {
  host: string
  port: number
  /** True, or the name to verify, for TLS from the first byte; a protocol that upgrades later does so itself. */
  tls?: boolean | { servername: string }
  /** Beside the client's own rule, for protocols with low ports such as SMTP. */
  ports?: readonly PortRange[]
  /** For lookup, connection and handshake together; 5,000 by default. */
  connectTimeoutMs?: number
  signal?: AbortSignal
}

/** A host and port as a user enters them. */
export interface HostToValidate {
  host: string
  port: number
  /** Beside the client's own rule. */
  ports?: readonly PortRange[]
  signal?: AbortSignal
}

/** The guarded client. Everything it refuses or fails at is an OutboundError. */
export interface Outbound {
  /**
   * Judges a URL at the moment a user enters it: form, scheme, port, credentials, and the addresses it has now. A name
   * that does not resolve (yet, or in time) is accepted; it is judged again at every connection.
   * Throws an OutboundError with `isRefusal`, whose message is for the user.
   */
  validateUrl(url: string | URL, rules?: UrlRules & { signal?: AbortSignal }): Promise<ValidatedUrl>
  /** The same for a host and port; gives the addresses, none when the name does not resolve yet. */
  validateHost(destination: HostToValidate): Promise<readonly string[]>
  /** Sends one request and reads a bounded answer. Any status is a result, redirects included. */
  request(request: OutboundRequest): Promise<OutboundResponse>
  /** Sends one request and hands over the body as it comes. */
  stream(request: OutboundStreamRequest): Promise<OutboundStream>
  /** Opens a raw connection by the same rules. The socket is the caller's to close and to listen to. */
  connect(options: ConnectOptions): Promise<Socket>
  /** Whom it trusts, for protocols that upgrade a raw connection to TLS themselves. */
  readonly secureContext: SecureContext
  /** Ends every kept-alive connection, and every call under way with kind `aborted`. */
  close(): void
}

/**
 * Creates the client for addresses a user chose (design: webhooks.md, "Addresses we refuse"): it looks a name up once,
 * refuses it when any of its addresses is not public unicast, and connects to the vetted addresses themselves. It
 * follows no redirects and reads no proxy variables.
 *
 * Throws when a CIDR block or certificate is malformed, and when a private range is allowed in production.
 */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const ports = options.ports ?? defaultPorts
  const lookup = options.lookup ?? createLookup()
  const dialer = { rules: createAddressRules(options), lookup, secureContext: buildSecureContext(options) }
  const pool = new ConnectionPool({
    maxIdle: options.maxIdle ?? 256,
    maxIdlePerOrigin: options.maxIdlePerOrigin ?? 16,
    maxAgeMs: options.maxConnectionAgeMs ?? 60_000,
  })
  const closeSignal = new CloseSignal()
  const shared: ClientContext = { dialer, pool, ports, closeSignal }

  const resolveNow = (destination: Destination, signal: AbortSignal | undefined) => {
    const deadline = startDeadline(5_000, 'the lookup', signal, closeSignal)
    return resolveAllowedAddresses(dialer, destination, deadline.signal)
      .catch(ignoreUnresolved)
      .finally(deadline.release)
  }

  return {
    validateUrl: async (url, { signal, protocols, ports: own = ports } = {}) => {
      const destination = parseUrl(url, { protocols, ports: own })
      const addresses = await resolveNow(destination, signal)
      return { url: destination.url.href, host: destination.host, port: destination.port, addresses }
    },

    validateHost: async ({ host, port, ports: more = [], signal }) =>
      resolveNow(parseHostPort(host, port, [...ports, ...more]), signal),

    secureContext: dialer.secureContext,

    request: (request) => sendRequest(shared, request),

    stream: (request) => sendStream(shared, request),

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

function ignoreUnresolved(error: unknown): [] {
  if (error instanceof OutboundError && (error.kind === 'dns' || error.kind === 'timeout')) return []
  throw error
}

/** The default authorities, and the operator's. */
function buildSecureContext({ ca, caFile }: OutboundOptions) {
  const own: string[] = []
  if (ca !== undefined) own.push(requirePem(ca.toString(), 'the certificate authority'))
  if (caFile !== undefined) own.push(requirePem(readFileSync(caFile, 'utf8'), caFile))
  return createSecureContext(own.length === 0 ? {} : { ca: [...getCACertificates('default'), ...own] })
}

/** OpenSSL would take a file without one for an empty list, and every call would fail later. */
function requirePem(text: string, where: string): string {
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`${where} holds no PEM certificate`)
  return text
}
