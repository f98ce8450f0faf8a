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
 * in constant time. During a rotation the signature under the previous secret is accepted as well. Where the Standard
 * Webhooks headers are there too, the time of sending is checked under their signature. Somebody who recorded a delivery
 * can leave those out and send it again, unchanged: dropping request ids you have seen is what stops that.
 * @throws WebhookVerificationError
 */
export function verifyWebhook({
  body,
  headers,
  secret,
  toleranceSeconds = 300,
  now = Date.now(),
}: VerifyOptions): WebhookDelivery {
  if (secret === '') throw new Error('the secret is empty: anybody could sign with that')
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const expected = createHmac('sha256', secret).update(bytes).digest()
  const signatures = ['x-webhook-signature', 'x-webhook-signature-previous'].map((name) => readHeader(headers, name))
  if (!signatures.some((signature) => signature !== undefined && matchesSignature(signature, expected)))
    throw new WebhookVerificationError('the signature does not match the body')
  const standard = readStandardHeaders(headers)
  if (standard !== undefined && !isSignedAndRecent(standard, bytes, secret, toleranceSeconds, now))
    throw new WebhookVerificationError('the timestamp is not signed, or too far from now')
  return parseDelivery(bytes)
}

function matchesSignature(signature: string, expected: Buffer): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false
  return timingSafeEqual(Buffer.from(signature, 'hex'), expected)
}

interface StandardHeaders {
  id: string
  timestamp: string
  signatures: string[]
}

/** The Standard Webhooks headers, which also cover the time of sending; there when the subscription has a secret. */
function readStandardHeaders(headers: VerifyOptions['headers']): StandardHeaders | undefined {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    readHeader(headers, name),
  )
  return id === undefined || timestamp === undefined || signature === undefined
    ? undefined
    : { id, timestamp, signatures: signature.split(' ') }
}

/** The signature of https://www.standardwebhooks.com: base64 of HMAC-SHA-256 over `id.timestamp.body`. */
function isSignedAndRecent(
  { id, timestamp, signatures }: StandardHeaders,
  bytes: Uint8Array,
  secret: string,
  toleranceSeconds: number,
  now: number,
): boolean {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest('base64')
  const isSigned = signatures.some((signature) => equalsInConstantTime(signature, `v1,${expected}`))
  return isSigned && Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds
}

function equalsInConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function parseDelivery(bytes: Uint8Array): WebhookDelivery {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookDelivery // the platform signed it, so it has the platform's shape
  } catch (cause) {
    throw new WebhookVerificationError('the body is not JSON', { cause })
  }
}

function readHeader(headers: VerifyOptions['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(entry) ? entry[0] : entry
}
