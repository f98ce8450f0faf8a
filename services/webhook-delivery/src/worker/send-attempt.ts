import { newId } from '@wp/database'
import { OutboundError, type OutboundResponse, type ResponseHeaders } from '@wp/outbound'
import type { Context } from '../context.ts'
import type { ReceiverResponse } from '../delivery/classify-attempt.ts'
import { buildRequestHeaders } from '../delivery/request-headers.ts'
import type { ClaimedDelivery } from '../store/deliveries/claim.ts'
import type { AttemptRecord } from '../store/deliveries/ended-attempt.ts'
import { openHeaders } from '../subscriptions/custom-headers.ts'
import { openSecret } from '../subscriptions/secrets.ts'
import { captureBody, captureHeaders, replaceNul } from './captured-response.ts'

type SendContext = Pick<Context, 'outbound' | 'sealer' | 'now' | 'log' | 'settings'>

/** One exchange with the receiver: what is written down about it, and what the verdict needs to know. */
export interface SentAttempt {
  response: ReceiverResponse
  attempt: AttemptRecord
}

/** Sends a delivery once. Whatever happens is a result; nothing is thrown. */
export async function sendAttempt(context: SendContext, claimed: ClaimedDelivery): Promise<SentAttempt> {
  const startedMs = context.now()
  const began = performance.now()
  try {
    const response = await send(context, claimed, startedMs)
    return fromResponse(response, startedMs)
  } catch (error) {
    return fromError(error, startedMs, performance.now() - began, context, claimed)
  }
}

async function send(
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
    connectTimeoutMs: Math.min(5_000, settings.attemptTimeoutMs),
    maxResponseBytes: 65_536,
    keepResponseBytes: 8_192,
    // A copy sent again by the connection's client alone would be an attempt that nobody wrote down.
    idempotent: false,
  })
}

function fromResponse(
  { status, headers, body, truncated, address, timings }: OutboundResponse,
  startedMs: number,
): SentAttempt {
  return {
    response: { statusCode: status, errorKind: null, retryAfter: firstHeader(headers, 'retry-after') },
    attempt: {
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

function fromError(
  error: unknown,
  startedMs: number,
  tookMs: number,
  { log }: SendContext,
  claimed: ClaimedDelivery,
): SentAttempt {
  const known = error instanceof OutboundError ? error : undefined
  if (known === undefined)
    log.error(
      { err: error, request_id: claimed.requestId, webhook_id: claimed.webhookId },
      'a delivery could not be sent',
    )
  const errorKind = known?.kind ?? 'internal'
  const { status = null, headers, address = null, timings } = known?.attempt ?? {}
  return {
    response: { statusCode: status, errorKind, retryAfter: firstHeader(headers ?? {}, 'retry-after') },
    attempt: {
      id: newId('att'),
      statusCode: status,
      errorKind,
      errorMessage: replaceNul(known?.message ?? 'something went wrong on our side').slice(0, 1_000),
      address,
      timings: { ...(timings ?? { ...emptyTimings, total_ms: Math.round(tookMs) }) },
      responseHeaders: captureHeaders(headers ?? {}),
      responseBody: null,
      responseTruncated: false,
      startedAt: new Date(startedMs),
      finishedAt: new Date(startedMs + tookMs),
    },
  }
}

function firstHeader(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}
