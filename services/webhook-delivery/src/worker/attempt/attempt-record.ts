import { newId } from '@wp/database'
import {
  isPublicAddress,
  OutboundError,
  type OutboundResponse,
  type ResponseHeaders,
  redactSecrets,
} from '@wp/outbound'
import { AuthenticationError } from '../../authentication/request-token.ts'
import { captureBody, captureHeaders, replaceNul } from '../../delivery/captured-response.ts'
import type { ReceiverResponse } from '../../delivery/next-state.ts'
import type { AttemptRecord } from '../../store/deliveries/attempts.ts'

/** A request to a receiver: its response, and the record of the attempt. */
export interface SentAttempt {
  response: ReceiverResponse
  record: AttemptRecord
}

/** Records a response. @param secrets texts that the record must not contain */
export function recordResponse(
  { status, headers, body, truncated, address, timings }: OutboundResponse,
  startedMs: number,
  secrets: readonly string[],
): SentAttempt {
  const sent: SentAttempt = {
    response: { statusCode: status, errorKind: null, retryAfter: firstValue(headers, 'retry-after') },
    record: {
      id: newId('att'),
      statusCode: status,
      errorKind: null,
      errorMessage: null,
      address: shownAddress(address),
      timings: { ...timings },
      responseHeaders: captureHeaders(headers),
      responseBody: captureBody(body),
      responseTruncated: truncated,
      startedAt: new Date(startedMs),
      finishedAt: new Date(startedMs + timings.total_ms),
    },
  }
  return redact(sent, secrets)
}

/** Removes the secrets from what the receiver responded, and from the message of an error, which may quote it. */
function redact({ response, record }: SentAttempt, secrets: readonly string[]): SentAttempt {
  if (secrets.length === 0) return { response, record }
  const { responseHeaders, responseBody, responseTruncated, errorMessage } = record
  const hide = redactSecrets(secrets)
  return {
    response,
    record: {
      ...record,
      responseHeaders: Object.fromEntries(Object.entries(responseHeaders).map(([name, value]) => [name, hide(value)])),
      responseBody:
        responseBody === null ? null : redactSecrets(secrets, { isTruncated: responseTruncated })(responseBody),
      errorMessage: errorMessage === null ? null : hide(errorMessage),
    },
  }
}

const emptyTimings = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null }

/** Records a request that failed. @param secrets texts that the record must not contain */
export function recordFailure(
  error: unknown,
  { startedMs, durationMs }: { startedMs: number; durationMs: number },
  secrets: readonly string[],
): SentAttempt {
  const outboundError = error instanceof OutboundError ? error : undefined
  const isUnauthenticated = error instanceof AuthenticationError
  const errorKind = outboundError?.kind ?? (isUnauthenticated ? 'authentication' : 'internal')
  const internal = 'an internal error prevented the attempt'
  const message = outboundError?.message ?? (isUnauthenticated ? error.message : internal)
  const { status = null, address = null, timings } = outboundError?.attempt ?? {}
  const headers = outboundError?.attempt.headers ?? {}
  const sent: SentAttempt = {
    response: { statusCode: status, errorKind, retryAfter: firstValue(headers, 'retry-after') },
    record: {
      id: newId('att'),
      statusCode: status,
      errorKind,
      errorMessage: replaceNul(message).slice(0, 1_000),
      address: shownAddress(address),
      timings: { ...(timings ?? { ...emptyTimings, total_ms: Math.round(durationMs) }) },
      responseHeaders: captureHeaders(headers),
      responseBody: null,
      responseTruncated: false,
      startedAt: new Date(startedMs),
      finishedAt: new Date(startedMs + durationMs),
    },
  }
  return redact(sent, secrets)
}

const shownAddress = (address: string | null): string | null =>
  address !== null && isPublicAddress(address) ? address : null

function firstValue(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}
