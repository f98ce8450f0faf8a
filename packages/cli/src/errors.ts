import type { ApiError } from '@wp/client'
import { escapeControls } from './output/escape-controls.ts'

/** Exit codes: 2 and 130 are those of shells for misuse and SIGINT, 4 is that of GitHub's command line. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, authenticationRequired: 4, cancelled: 130 } as const

/** The command line or the environment cannot be used as it is. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** There is no credential, or it is no longer valid. */
export class AuthenticationRequiredError extends Error {
  override readonly name = 'AuthenticationRequiredError'
}

/** The user ended the command. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError'

  constructor() {
    super('cancelled')
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CancelledError) return exitCodes.cancelled
  if (error instanceof UsageError) return exitCodes.usage
  if (error instanceof AuthenticationRequiredError) return exitCodes.authenticationRequired
  return isApiError(error) && error.status === 401 ? exitCodes.authenticationRequired : exitCodes.failed
}

/** Formats an error for standard error: one line, and one for each invalid field. */
export function formatError(error: unknown): string {
  const [first = '', ...more] = linesOf(error)
  return [`wp: ${first}`, ...more.map((line) => `  ${line}`)].map(escapeControls).join('\n')
}

function linesOf(error: unknown): string[] {
  if (isApiError(error)) return linesOfApiError(error)
  if (isConnectionError(error)) return [`cannot reach the platform: ${reasonOf(error)}`]
  if (!(error instanceof Error)) return [String(error)]
  if (error.name === 'TimeoutError') return ['the platform did not respond in time']
  return error.message.split('\n')
}

function linesOfApiError(error: ApiError): string[] {
  const request = error.requestId === undefined ? '' : `, request ${error.requestId}`
  const fields = error.errors.map(({ pointer, detail }) => `${pointer}: ${detail}`.replace(/^[/?]/, ''))
  return [
    `${error.message.replace(/^[/?]/, '')} (${error.code}${request})`,
    ...fields.filter((field) => !error.message.endsWith(field)), // the message is often that of the first field
    ...(error.status === 401 || error.code === 'bearer_required' ? ['To sign in, run: wp login'] : []),
  ]
}

/** Returns true for an error response. The class is not compared, because its module loads all contracts. */
export const isApiError = (error: unknown): error is ApiError =>
  error instanceof Error && 'requestId' in error && 'code' in error

/** Returns true for the error of a request without a complete response: `fetch` reports it with a cause. */
export const isConnectionError = (error: unknown): error is TypeError & { cause: Error } =>
  error instanceof TypeError && error.cause instanceof Error

/** Returns the innermost reason of a connection error, such as `connect ECONNREFUSED 127.0.0.1:8080`. */
export function reasonOf(error: Error): string {
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message
}
