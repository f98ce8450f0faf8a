import { JobFailure } from '@wp/jobs'

/** A temporary failure: the same request may succeed later. */
export const modelUnavailable = (message: string, cause?: unknown): JobFailure =>
  new JobFailure({ code: 'model_unavailable', message, retryable: false }, { cause })

/** A failure that a user or the operator has to correct. */
export const modelRejected = (message: string, cause?: unknown): JobFailure =>
  new JobFailure({ code: 'model_rejected', message, retryable: false }, { cause })

/** Longest part of a provider's own message that is shown. */
const maxProviderMessage = 300

/** Returns a message of a provider as part of ours: on one line, of limited length, without what cannot be stored. */
const shownMessage = (text: string): string =>
  text
    .slice(0, maxProviderMessage)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .toWellFormed()

/** The reason of an error response, by its status. A status that is not listed has none. */
const reasons: Readonly<Record<number, string>> = {
  400: 'it does not accept the request',
  401: 'it rejects the credentials',
  402: 'its account has no credit',
  403: 'it denies access',
  404: 'it does not know the address or the model',
  407: 'a proxy rejects the credentials',
  408: 'the request took too long',
  413: 'the request is too large',
  422: 'it does not accept the request',
  429: 'it limits the rate of requests',
}

/** Returns true if a request that was answered with the status may succeed when it is repeated. */
export const isTemporaryStatus = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** Returns true if the status rejects the credentials. */
export const isUnauthorized = (status: number): boolean => status === 401 || status === 407

/**
 * Returns the failure for an error response of a provider.
 * @param name names the provider at the beginning of the message
 * @param detail the message of the provider; omitted for rejected credentials, because it may repeat parts of them
 */
export function statusFailure(name: string, status: number, detail?: string): JobFailure {
  const isRedirect = status >= 300 && status < 400
  const reason = isRedirect
    ? 'redirects are not followed'
    : (reasons[status] ?? (status >= 500 ? 'it failed' : undefined))
  const shown = detail === undefined || isUnauthorized(status) ? '' : `: ${shownMessage(detail)}`
  const message = `${name} answered ${status}${reason === undefined ? '' : `, ${reason}`}${shown}`
  return isTemporaryStatus(status) ? modelUnavailable(message) : modelRejected(message)
}

/** Returns the failure for an account without credit, which no repetition helps. */
export const quotaFailure = (name: string, status: number, detail = ''): JobFailure =>
  modelRejected(`${name} answered ${status}, its account has no credit: ${shownMessage(detail)}`)

/**
 * Returns the failure for an error of the AI SDK while it reads a response: a stream without an end, a chunk that is no
 * JSON, or an error that the provider reports in the stream. Errors that are failures already are returned unchanged.
 */
export function responseFailure(name: string, error: unknown): JobFailure {
  if (error instanceof JobFailure) return error
  // The SDK wraps a failure of the response body.
  if (error instanceof Error && error.cause instanceof JobFailure) return error.cause
  const detail = providerMessage(error)
  if (detail !== undefined) return modelUnavailable(`${name} reported an error: ${detail}`)
  return modelUnavailable(`${name} sent an invalid or incomplete response`, error)
}

/** Returns the message of an error object that a provider sent; undefined for an error of the SDK. */
function providerMessage(error: unknown): string | undefined {
  if (error instanceof Error || typeof error !== 'object' || error === null || !('message' in error)) return undefined
  return typeof error.message === 'string' ? shownMessage(error.message) : undefined
}
