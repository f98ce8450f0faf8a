import type { OutboundResponse } from '@wp/outbound'
import { type ReceivedInput, type ReceiveOutcome, receiveRequest } from './receive-request.ts'

/** 410 disables the subscription, as for any receiver that is gone. */
const statuses: Readonly<Record<ReceiveOutcome, number>> = { received: 200, unknown: 410, limited: 429, too_large: 413 }

/**
 * Delivers to a test receiver of the same workspace, without a connection: an address of the platform itself can be one
 * that the rules for outside addresses refuse. Everything else is as for any other receiver.
 */
export async function deliverToReceiver(
  context: Parameters<typeof receiveRequest>[0],
  input: ReceivedInput & { workspaceId: string },
): Promise<OutboundResponse> {
  const startedAt = performance.now()
  const outcome = await receiveRequest(context, input)
  const isReceived = outcome === 'received'
  const body = Buffer.from(JSON.stringify(isReceived ? { received: true } : { received: false, reason: outcome }))
  const headers = { 'content-type': 'application/json', ...(outcome === 'limited' ? { 'retry-after': '60' } : {}) }
  const totalMs = Math.round(performance.now() - startedAt)
  return {
    status: statuses[outcome],
    headers,
    body,
    truncated: false,
    address: '',
    reused: false,
    timings: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: totalMs, total_ms: totalMs },
  }
}
