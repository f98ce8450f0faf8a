import type { DomainEvent } from '@wp/contracts'

/**
 * The body of a delivery, frozen here once: what is signed and sent, on every attempt, are these very bytes.
 * @param requestId names the delivery, not the attempt
 */
export function freezeBody(
  event: Pick<DomainEvent, 'kind' | 'workspace_id' | 'occurred_at' | 'data'>,
  requestId: string,
): Buffer {
  const { id, status, ...more } = event.data
  return Buffer.from(
    JSON.stringify({
      event: event.kind,
      workspace_id: event.workspace_id,
      request_id: requestId,
      payload: { id, status, occurred_at: event.occurred_at, ...more },
    }),
  )
}
