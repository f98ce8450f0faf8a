import { type DomainEvent, resourcePath } from '@wp/contracts'

/** Larger bodies are not sent: receivers commonly refuse them. */
const maxBodyBytes = 262_144

/**
 * The body of a delivery, frozen here once: what is signed and sent, on every attempt, are these very bytes.
 *
 * What is too large is not dropped: the payload then says that it is truncated, and where the rest is to be read: at the
 * resource it is about, or, where that has no address, at the delivery.
 *
 * @param requestId names the delivery, not the attempt
 * @param base the public address of the platform, without a slash at its end
 */
export function serializeBody(
  event: Pick<DomainEvent, 'kind' | 'workspace_id' | 'occurred_at' | 'data'>,
  requestId: string,
  publicBaseUrl: string,
): Buffer {
  const { id, status, ...more } = event.data
  const bodyOf = (rest: Record<string, unknown>) =>
    Buffer.from(
      JSON.stringify({
        event: event.kind,
        workspace_id: event.workspace_id,
        request_id: requestId,
        payload: { id, status, occurred_at: event.occurred_at, ...rest },
      }),
    )
  const whole = bodyOf(more)
  // Too large for the broker already: it came here with nothing but its id and status.
  const isTruncated = more.truncated === true
  if (!isTruncated && whole.length <= maxBodyBytes) return whole
  const path = resourcePath(String(id)) ?? `/v1/webhooks/deliveries/${requestId}`
  return bodyOf({ truncated: true, url: publicBaseUrl + path })
}
