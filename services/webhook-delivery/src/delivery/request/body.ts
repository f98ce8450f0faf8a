import { type DomainEvent, resourcePath } from '@wp/contracts'

/** Receivers commonly refuse larger bodies. */
const maxBodyBytes = 262_144

/** The parts of a body that filters read, in the shape of an event. */
type ParsedBody = Pick<DomainEvent, 'kind' | 'occurred_at' | 'data'>

/** Parses a body that `serializeBody` has written. */
export function parseBody(body: Uint8Array): ParsedBody {
  const { event, payload = {} } = JSON.parse(new TextDecoder().decode(body)) as {
    event: string
    payload?: Record<string, unknown>
  } // only written in this shape
  return { kind: event, occurred_at: String(payload.occurred_at), data: payload }
}

/**
 * Serializes the body of a delivery. It is stored, and every attempt signs and sends these bytes.
 *
 * A payload that is too large is replaced by `{ truncated: true, url }`: the URL of the resource it is about, or, if
 * that has none, of the delivery.
 *
 * @param requestId identifies the delivery, not the attempt
 * @param publicBaseUrl public address of the platform, without a trailing slash
 */
export function serializeBody(
  event: Pick<DomainEvent, 'kind' | 'workspace_id' | 'occurred_at' | 'data'>,
  requestId: string,
  publicBaseUrl: string,
): Buffer {
  const { id, status, ...details } = event.data
  const serialize = (rest: Record<string, unknown>) =>
    Buffer.from(
      JSON.stringify({
        event: event.kind,
        workspace_id: event.workspace_id,
        request_id: requestId,
        payload: { id, status, occurred_at: event.occurred_at, ...rest },
      }),
    )
  const body = serialize(details)
  // An event too large for the broker was already reduced to its id and status.
  const isTruncated = details.truncated === true
  if (!isTruncated && body.length <= maxBodyBytes) return body
  const path = resourcePath(String(id)) ?? `/v1/webhooks/deliveries/${requestId}`
  return serialize({ truncated: true, url: publicBaseUrl + path })
}
