import { createSignatureHeaders, type SigningSecrets } from './signature.ts'

export interface AttemptIdentity {
  requestId: string
  eventId: string
  eventKind: string
  /** From 1. */
  number: number
}

const userAgent = 'WorkspacePlatform-Webhooks/1.0'

/** All headers of one attempt: the subscription's own first, so that ours have the last word. */
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
    'x-webhook-attempt': String(identity.number),
    ...createSignatureHeaders(secrets, { requestId: identity.requestId, timestamp: Math.floor(nowMs / 1000), body }),
  }
}

/** Those of the connection and the message (RFC 9110, sections 7.6.1 and 6.4), and those only we may say. */
const reservedHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
])

/** Whether a subscription may not set this header. */
export const isReservedHeader = (name: string): boolean => {
  const lower = name.toLowerCase()
  return reservedHeaders.has(lower) || lower.startsWith('webhook-') || lower.startsWith('x-webhook-')
}
