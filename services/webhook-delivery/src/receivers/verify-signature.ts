import type { signatureStates } from '@wp/contracts'
import { createSignatureHeaders } from '../delivery/request/signature.ts'

/** Difference of the clocks that verifiers of Standard Webhooks allow. */
const toleranceSeconds = 300

/**
 * Verifies the signatures of a request as a receiver should: both forms, with one of the secrets, over the raw body.
 * @param secrets of the subscriptions that deliver to the address
 * @param headers names in lower case
 */
export function verifySignature(
  headers: Readonly<Record<string, string | undefined>>,
  body: Uint8Array,
  secrets: readonly string[],
  nowMs: number,
): (typeof signatureStates)[number] {
  const { 'webhook-id': requestId = '', 'webhook-timestamp': sent = '', 'webhook-signature': standard } = headers
  const hex = headers['x-webhook-signature']
  if (standard === undefined && hex === undefined) return 'unsigned'
  const timestamp = Number(sent)
  const isSigned = secrets.some((current) => {
    const expected = createSignatureHeaders({ current, previous: null }, { requestId, timestamp, body })
    const given = standard?.split(' ') ?? []
    return (
      given.includes(expected['webhook-signature'] ?? '') &&
      [hex, headers['x-webhook-signature-previous']].includes(expected['x-webhook-signature'])
    )
  })
  if (!isSigned) return 'invalid'
  return Math.abs(nowMs / 1000 - timestamp) > toleranceSeconds ? 'expired' : 'valid'
}
