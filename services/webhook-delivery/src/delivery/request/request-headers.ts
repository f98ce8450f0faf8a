import { hopByHopHeaders } from '@wp/contracts'
import { createSignatureHeaders, type SigningSecrets } from './signature.ts'

export interface AttemptIdentity {
  requestId: string
  eventId: string
  eventKind: string
  /** This attempt included. */
  attemptCount: number
  /** The span that sends the attempt, or the trace of the event; null if there is none. */
  traceparent: string | null
}

const userAgent = 'WorkspacePlatform-Webhooks/1.0'

/** Builds the headers of an attempt. The platform's headers override the subscription's custom ones. */
export function buildRequestHeaders(
  identity: AttemptIdentity,
  body: Uint8Array,
  secrets: SigningSecrets,
  custom: Readonly<Record<string, string>>,
  nowMs: number,
): Record<string, string> {
  return {
    ...custom,
    'content-type': 'application/json',
    'user-agent': userAgent,
    'x-webhook-event': identity.eventKind,
    'x-webhook-request-id': identity.requestId,
    'x-webhook-event-id': identity.eventId,
    'x-webhook-attempt': String(identity.attemptCount),
    ...(identity.traceparent === null ? {} : { traceparent: identity.traceparent }),
    ...createSignatureHeaders(secrets, { requestId: identity.requestId, timestamp: Math.floor(nowMs / 1000), body }),
  }
}

/**
 * Headers that belong to the connection or the message framing (RFC 9110 sections 7.6.1 and 6.4), or to the platform.
 */
const reservedHeaders: ReadonlySet<string> = new Set([
  ...hopByHopHeaders,
  'accept-encoding',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'traceparent',
  'tracestate',
  'user-agent',
])

/** Returns true if a subscription must not set this header. */
export const isReservedHeader = (name: string): boolean => {
  const lower = name.toLowerCase()
  return reservedHeaders.has(lower) || lower.startsWith('webhook-') || lower.startsWith('x-webhook-')
}
