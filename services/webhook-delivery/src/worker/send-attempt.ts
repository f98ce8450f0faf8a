import { newId } from '@wp/database'
import { OutboundError, type OutboundResponse, type ResponseHeaders } from '@wp/outbound'
import type { Context } from '../context.ts'
import type { ReceiverResponse } from '../delivery/classify-attempt.ts'
import { buildRequestHeaders } from '../delivery/request-headers.ts'
import type { AttemptRecord } from '../store/deliveries/attempts.ts'
import type { ClaimedDelivery } from '../store/deliveries/claim.ts'
import { openHeaders } from '../subscriptions/custom-headers.ts'
import { openSecret } from '../subscriptions/secrets.ts'
import { captureBody, captureHeaders, replaceNul } from './captured-response.ts'

type SendContext = Pick<Context, 'outbound' | 'sealer' | 'now' | 'log' | 'settings'>

/** A request to a receiver: its response, and the record of the attempt. */
export interface SentAttempt {
  response: ReceiverResponse
  record: AttemptRecord
}

/** Sends a delivery once. Every failure is a result; it never rejects. */
export async function sendAttempt(context: SendContext, claimed: ClaimedDelivery): Promise<SentAttempt> {
  const startedMs = context.now()
  const startedAt = performance.now()
  try {
    return fromResponse(await send(context, claimed, startedMs), startedMs)
  } catch (error) {
    if (!(error instanceof OutboundError)) {
      const fields = { err: error, request_id: claimed.requestId, webhook_id: claimed.webhookId }
      context.log.error({ event: 'attempt.sending_failed', ...fields }, 'failed to send a delivery')
    }
    return fromError(error, startedMs, performance.now() - startedAt)
  }
}

function send(
  { outbound, sealer, settings }: SendContext,
  claimed: ClaimedDelivery,
  nowMs: number,
): Promise<OutboundResponse> {
  const { webhookId, body, secretSealed, previousSecretSealed } = claimed
  const open = (sealed: string | null) => (sealed === null ? null : openSecret(sealer, webhookId, sealed))
  const secrets = { current: open(secretSealed), previous: open(previousSecretSealed) }
  const custom = openHeaders(sealer, webhookId, claimed.headers)
  return outbound.request({
    url: claimed.endpoint,
    method: 'POST',
    headers: buildRequestHeaders(claimed, body, secrets, custom, nowMs),
    body,
    timeoutMs: settings.attemptTimeoutMs,
    connectTimeoutMs: settings.connectTimeoutMs,
    maxResponseBytes: 65_536,
    keepResponseBytes: 8_192,
    // The client must not send the request again by itself: that would be an attempt without a record.
    idempotent: false,
  })
}

function fromResponse(
  { status, headers, body, truncated, address, timings }: OutboundResponse,
  startedMs: number,
): SentAttempt {
  return {
    response: { statusCode: status, errorKind: null, retryAfter: firstValue(headers, 'retry-after') },
    record: {
      id: newId('att'),
      statusCode: status,
      errorKind: null,
      errorMessage: null,
      address,
      timings: { ...timings },
      responseHeaders: captureHeaders(headers),
      responseBody: captureBody(body),
      responseTruncated: truncated,
      startedAt: new Date(startedMs),
      finishedAt: new Date(startedMs + timings.total_ms),
    },
  }
}

const emptyTimings = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null }

function fromError(error: unknown, startedMs: number, durationMs: number): SentAttempt {
  const outboundError = error instanceof OutboundError ? error : undefined
  const errorKind = outboundError?.kind ?? 'internal'
  const message = outboundError?.message ?? 'an internal error prevented the attempt'
  const { status = null, address = null, timings } = outboundError?.attempt ?? {}
  const headers = outboundError?.attempt.headers ?? {}
  return {
    response: { statusCode: status, errorKind, retryAfter: firstValue(headers, 'retry-after') },
    record: {
      id: newId('att'),
      statusCode: status,
      errorKind,
      errorMessage: replaceNul(message).slice(0, 1_000),
      address,
      timings: { ...(timings ?? { ...emptyTimings, total_ms: Math.round(durationMs) }) },
      responseHeaders: captureHeaders(headers),
      responseBody: null,
      responseTruncated: false,
      startedAt: new Date(startedMs),
      finishedAt: new Date(startedMs + durationMs),
    },
  }
}

function firstValue(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}
