/**
 * What went wrong, in the words an attempt is recorded with:
 *
 * | kind | meaning |
 * |---|---|
 * | `invalid_url` | refused before anything is looked up: not a URL, wrong scheme or port, credentials in it |
 * | `invalid_request` | a header, method or limit we do not send |
 * | `blocked_address` | the host is, or resolves to, an address that is not public; nothing was connected |
 * | `dns` | the name does not resolve |
 * | `connect` | no vetted address accepted a connection |
 * | `tls` | the handshake failed, or the certificate does not hold for the name |
 * | `timeout` | a time limit passed; `stage` says where |
 * | `aborted` | the caller's signal fired, or the client was closed |
 * | `reset` | the connection ended before the answer did |
 * | `protocol` | the answer is not HTTP/1.1 |
 * | `encoding` | the answer is compressed; it is refused rather than inflated |
 * | `too_large` | a streamed answer passed its limit |
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

/** Where an attempt was when it ended. */
export type Stage = 'dns' | 'connect' | 'tls' | 'request' | 'response'

/**
 * Durations in milliseconds. `dns_ms`, `connect_ms` and `tls_ms` are null where the stage was not reached, or was not
 * needed because a kept-alive connection was used; `first_byte_ms` counts from sending the request; `total_ms` from
 * the call.
 */
export interface Timings {
  dns_ms: number | null
  connect_ms: number | null
  tls_ms: number | null
  first_byte_ms: number | null
  total_ms: number
}

export type ResponseHeaders = Record<string, string | string[] | undefined>

/** What is known of an attempt, whether it succeeded or not. */
export interface AttemptDetails {
  stage: Stage | null
  /** The address connected to, or last tried. */
  address: string | null
  /** Known when the head of the answer arrived before the failure. */
  status: number | null
  headers: ResponseHeaders | null
  timings: Timings | null
}

const emptyDetails: AttemptDetails = { stage: null, address: null, status: null, headers: null, timings: null }

interface OutboundErrorOptions {
  cause?: unknown
  /** The system's, OpenSSL's or undici's code, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  code?: string | undefined
  blocked?: BlockedAddress | undefined
  attempt?: AttemptDetails
}

/** The address that was refused and why: for logs. The message leaves it out, since it would map private networks. */
export interface BlockedAddress {
  address: string
  range: string
}

/** Every failure of this package. The message is fit to show to the user who chose the address. */
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

  /** True when the address itself is refused: what to answer with 400 where a user enters one. */
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
