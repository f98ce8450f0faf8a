import type { ConnectionErrorCode } from '@wp/contracts'
import { OutboundError, type OutboundErrorKind } from '@wp/outbound'
import { z } from 'zod'

/** Thrown when a provider could not be reached or used. The message is shown to the user. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure'
  readonly code: ConnectionErrorCode

  constructor(code: ConnectionErrorCode, message: string, options?: ErrorOptions) {
    super(sanitizeMessage(message), options)
    this.code = code
  }
}

const codes: Record<Exclude<OutboundErrorKind, 'aborted'>, ConnectionErrorCode> = {
  invalid_url: 'blocked_address',
  blocked_address: 'blocked_address',
  connect: 'refused',
  tls: 'tls',
  timeout: 'timeout',
  reset: 'protocol',
  protocol: 'protocol',
  encoding: 'protocol',
  too_large: 'protocol',
  invalid_request: 'protocol',
}

/** Converts an error of a connection test. @throws the error itself if it is not the provider's fault */
export function toConnectionFailure(error: unknown): ConnectionFailure {
  if (error instanceof ConnectionFailure) return error
  if (error instanceof OutboundError && error.kind !== 'aborted')
    return new ConnectionFailure(codes[error.kind], error.message, { cause: error })
  throw error
}

const ErrorDetails = z.object({
  code: z.string().catch(''),
  message: z.string().catch('unknown'),
  /** Reply text and code of a mail server. */
  response: z.string().optional().catch(undefined),
  responseCode: z.number().optional().catch(undefined),
})

/** Reads code and message of an error of a client library or of Node. */
export const errorDetailsOf = (error: unknown): z.output<typeof ErrorDetails> =>
  ErrorDetails.catch({ code: '', message: String(error) }).parse(error)

/** Removes control characters and limits the length: the message can quote an untrusted server. */
const sanitizeMessage = (message: string): string =>
  message
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, 500)
    .toWellFormed()
