/**
 * Kind of a failed attempt, as stored with it:
 *
 * | kind | meaning |
 * |---|---|
 * | `invalid_url` | rejected before the lookup: not a URL, scheme or port not allowed, contains credentials |
 * | `invalid_request` | a header, method or limit that is not allowed |
 * | `blocked_address` | the host is, or resolves to, an address that is not public; no connection was made |
 * | `dns` | the name does not resolve |
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
  | 'dns'
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
  blocked?: BlockedAddress | undefined
  attempt?: AttemptDetails
}

/** The rejected address and the reason, for logs. Omitted from the message, which would reveal private networks. */
export interface BlockedAddress {
  address: string
  range: string
}

/** Thrown for every failure of this package. The message may be shown to the user who chose the address. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly kind: OutboundErrorKind
  readonly code: string | undefined
  readonly blocked: BlockedAddress | undefined
  readonly attempt: AttemptDetails

  constructor(kind: OutboundErrorKind, message: string, options: OutboundErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.code = options.code
    this.blocked = options.blocked
    this.attempt = options.attempt ?? emptyDetails
  }

  /** True if the address itself was rejected; respond with 400 when a user enters it. */
  get isAddressRejected(): boolean {
    return this.kind === 'invalid_url' || this.kind === 'blocked_address'
  }

  withDetails(attempt: AttemptDetails): OutboundError {
    const { kind, message, code, blocked, cause } = this
    const error = new OutboundError(kind, message, { code, blocked, cause, attempt })
    if (this.stack !== undefined) error.stack = this.stack
    return error
  }
}

export function errorMessage(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
}
