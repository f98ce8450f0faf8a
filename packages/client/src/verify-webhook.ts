import { createHmac, timingSafeEqual } from 'node:crypto'

/** A delivery, verified. */
export interface WebhookDelivery {
  /** Event kind. Kinds you do not know may come; ignore them. */
  event: string
  workspace_id: string
  /** Names the delivery; the same on every retry: keep it to drop duplicates. */
  request_id: string
  payload: { id: string; status: string; occurred_at: string } & Record<string, unknown>
}

/** The delivery was not signed with the secret, or is not one of ours. Answer 400 and do nothing with it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export interface VerifyOptions {
  /** The raw body, byte for byte as received: never parsed and serialised again. */
  body: string | Uint8Array
  /** The headers of the request: a `Headers` or the object Node gives. */
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>
  /** The secret of the subscription, as it was set. */
  secret: string
  /** Refuses deliveries whose timestamp is further away than this; default 300 s. Needs a clock that is right. */
  toleranceSeconds?: number
  /** Milliseconds since 1970; default the clock. */
  now?: number
}

/**
 * Verifies a webhook delivery: the lowercase hexadecimal HMAC-SHA-256 of the raw body, keyed with the secret, compared
 * in constant time. During a rotation the signature under the previous secret is accepted as well.
 * @throws WebhookVerificationError
 */
export function verifyWebhook({
  body,
  headers,
  secret,
  toleranceSeconds = 300,
  now = Date.now(),
}: VerifyOptions): WebhookDelivery {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)
  const expected = createHmac('sha256', secret).update(bytes).digest()
  const signatures = ['x-webhook-signature', 'x-webhook-signature-previous'].map((name) => readHeader(headers, name))
  if (!signatures.some((signature) => signature !== undefined && equals(signature, expected)))
    throw new WebhookVerificationError('the signature does not match the body')
  const sentAt = Number(readHeader(headers, 'webhook-timestamp') ?? Number.NaN)
  if (Number.isFinite(sentAt) && Math.abs(now / 1000 - sentAt) > toleranceSeconds)
    throw new WebhookVerificationError('the delivery is too old or from the future')
  return parse(bytes)
}

function equals(signature: string, expected: Buffer): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false
  return timingSafeEqual(Buffer.from(signature, 'hex'), expected)
}

function parse(bytes: Buffer): WebhookDelivery {
  try {
    return JSON.parse(bytes.toString('utf8')) as WebhookDelivery // the platform signed it, so it has the platform's shape
  } catch (cause) {
    throw new WebhookVerificationError('the body is not JSON', { cause })
  }
}

function readHeader(headers: VerifyOptions['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(entry) ? entry[0] : entry
}
