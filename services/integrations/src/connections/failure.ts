import type { ConnectionErrorCode } from '@wp/contracts'
import { OutboundError, type OutboundErrorKind } from '@wp/outbound'
import { z } from 'zod'

/** Why a provider could not be reached or used, in words for the user who set it up. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure'
  readonly code: ConnectionErrorCode

  constructor(code: ConnectionErrorCode, message: string, options?: ErrorOptions) {
    super(kept(message), options)
    this.code = code
  }
}

const codes: Record<Exclude<OutboundErrorKind, 'aborted'>, ConnectionErrorCode> = {
  invalid_url: 'blocked_address',
  blocked_address: 'blocked_address',
  dns: 'dns',
  connect: 'refused',
  tls: 'tls',
  timeout: 'timeout',
  reset: 'protocol',
  protocol: 'protocol',
  encoding: 'protocol',
  too_large: 'protocol',
  invalid_request: 'protocol',
}

/** The failure that an error of a test is. @throws the error itself where it is ours, not the provider's */
export function failureOf(error: unknown): ConnectionFailure {
  if (error instanceof ConnectionFailure) return error
  if (error instanceof OutboundError && error.kind !== 'aborted')
    return new ConnectionFailure(codes[error.kind], error.message, { cause: error })
  throw error
}

const Facts = z.object({
  code: z.string().catch(''),
  message: z.string().catch('unknown'),
  /** What a mail server said, and its number. */
  response: z.string().optional().catch(undefined),
  responseCode: z.number().optional().catch(undefined),
})

/** What an error of a client or of Node says of itself. */
export const factsOf = (error: unknown): z.output<typeof Facts> =>
  Facts.catch({ code: '', message: String(error) }).parse(error)

/** Servers of a user's choosing are quoted here: no control characters, which no column would take, and no novels. */
const kept = (message: string): string =>
  message
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, 500)
    .toWellFormed()
