/**
 * Kind of a failed attempt, as stored with it:
 *
 * | kind | meaning |
 * |---|---|
 * | `invalid_url` | rejected before the lookup: not a URL, scheme or port not allowed, contains credentials |
 * | `invalid_request` | a header, method or limit that is not allowed |
 * | `blocked_address` | the host may not be called, or its name does not resolve; no connection was made |
 * | `connect` | no address accepted a connection |
 * | `tls` | the handshake failed, or the certificate is not valid for the name |
 * | `timeout` | a time limit was exceeded; see `stage` |
 * | `aborted` | the caller's signal was aborted, or the client was closed |
 * | `reset` | the connection was closed before the response was complete |
 * | `protocol` | the response is not valid HTTP/1.1 |
 * | `encoding` | the response is compressed, which is rejected |
 * | `too_large` | a streamed response exceeded its limit |
 */
export type OutboundErrorKind =
  | 'invalid_url'
  | 'invalid_request'
  | 'blocked_address'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'aborted'
  | 'reset'
  | 'protocol'
  | 'encoding'
  | 'too_large'

/** Last stage an attempt reached. */
export type Stage = 'dns' | 'connect' | 'tls' | 'request' | 'response'

/**
 * Durations in milliseconds. `dns_ms`, `connect_ms` and `tls_ms` are null if the stage was not reached or a kept-alive
 * connection was used. `first_byte_ms` is measured from sending the request, `total_ms` from the start of the call.
 */
export interface Timings {
  dns_ms: number | null
  connect_ms: number | null
  tls_ms: number | null
  first_byte_ms: number | null
  total_ms: number
}

export type ResponseHeaders = Record<string, string | string[] | undefined>

/** Details of an attempt, successful or not. */
export interface AttemptDetails {
  stage: Stage | null
  /** Address of the connection, or the last one tried. */
  address: string | null
  /** Set if the response head arrived before the failure. */
  status: number | null
  headers: ResponseHeaders | null
  timings: Timings | null
}

const emptyDetails: AttemptDetails = { stage: null, address: null, status: null, headers: null, timings: null }

interface OutboundErrorOptions {
  cause?: unknown
  /** Code of the system, OpenSSL or undici, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  code?: string | undefined
  blocked?: BlockedHost | undefined
  isAddressRejected?: boolean
  attempt?: AttemptDetails
}

/** The reason why a host was not called, for the operator's log only: it tells which internal names exist. */
export interface BlockedHost {
  host: string
  /** The address that may not be called; null if the name does not resolve. */
  address: string | null
  reason: string
}

/** Thrown for every failure of this package. The message may be shown to the user who chose the address. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly kind: OutboundErrorKind
  readonly code: string | undefined
  readonly blocked: BlockedHost | undefined
  /** True if the address is wrong whatever its name resolves to; respond with 400 when a user enters it. */
  readonly isAddressRejected: boolean
  readonly attempt: AttemptDetails

  constructor(kind: OutboundErrorKind, message: string, options: OutboundErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.code = options.code
    this.blocked = options.blocked
    this.isAddressRejected = options.isAddressRejected ?? kind === 'invalid_url'
    this.attempt = options.attempt ?? emptyDetails
  }

  withDetails(attempt: AttemptDetails): OutboundError {
    const { kind, message, code, blocked, isAddressRejected, cause } = this
    const error = new OutboundError(kind, message, { code, blocked, isAddressRejected, cause, attempt })
    if (this.stack !== undefined) error.stack = this.stack
    return error
  }
}

/**
 * Returns the error of a host that is not called. A user gets one kind and one text for a name that does not resolve,
 * one that resolves to a private address, and an address that the operator denies: different answers would tell which
 * internal names exist. `cause` and `blocked` are for the log.
 */
export const blockedHostError = (
  blocked: BlockedHost,
  options: Pick<OutboundErrorOptions, 'cause' | 'isAddressRejected'>,
): OutboundError =>
  new OutboundError(
    'blocked_address',
    `${blocked.host} is not a public address, and does not resolve to one: check the spelling and the DNS records`,
    { ...options, blocked },
  )

export function errorMessage(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
}
