import { createHmac, timingSafeEqual } from 'node:crypto'

/** A verified delivery. */
export interface WebhookDelivery {
  /** Event kind. Ignore kinds you do not know. */
  event: string
  workspace_id: string
  /** Identifies the delivery, the same on every retry. Store it to drop duplicates. */
  request_id: string
  payload: { id: string; status: string; occurred_at: string } & Record<string, unknown>
}

/** The request is not signed with the secret, or is not a delivery. Respond 400 and ignore it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export interface VerifyOptions {
  /** The raw body, byte for byte as received; not parsed and serialized again. */
  body: string | Uint8Array
  /** The headers of the request: a `Headers` or the headers object of Node.js. */
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>
  /** The secret of the subscription. */
  secret: string
  /** Largest accepted difference between the timestamp and the clock, default 300 s. */
  toleranceSeconds?: number
  /** Milliseconds since 1970, default the system clock. */
  now?: number
}

/**
 * Verifies a webhook delivery: the lowercase hexadecimal HMAC-SHA-256 of the raw body, keyed with the secret, compared
 * in constant time. During a rotation the signature under the previous secret is accepted too. If the Standard Webhooks
 * headers are present, their signature and timestamp are verified as well. They cannot prevent a replay attack, because
 * an attacker can leave them out: store request ids and drop duplicates.
 *
 * @throws WebhookVerificationError; Error if the secret is empty
 */
export function verifyWebhook({
  body,
  headers,
  secret,
  toleranceSeconds = 300,
  now = Date.now(),
}: VerifyOptions): WebhookDelivery {
  if (secret === '') throw new Error('the secret is empty')
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const expected = createHmac('sha256', secret).update(bytes).digest()
  const signatures = ['x-webhook-signature', 'x-webhook-signature-previous'].map((name) => readHeader(headers, name))
  if (!signatures.some((signature) => signature !== undefined && matchesSignature(signature, expected)))
    throw new WebhookVerificationError('the signature does not match the body')
  const standard = readStandardHeaders(headers)
  if (standard !== undefined && !isSignedAndRecent(standard, bytes, secret, toleranceSeconds, now))
    throw new WebhookVerificationError('the timestamp is not signed, or outside the tolerance')
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

/** Returns the Standard Webhooks headers, whose signature covers the timestamp; undefined if they are incomplete. */
function readStandardHeaders(headers: VerifyOptions['headers']): StandardHeaders | undefined {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    readHeader(headers, name),
  )
  return id === undefined || timestamp === undefined || signature === undefined
    ? undefined
    : { id, timestamp, signatures: signature.split(' ') }
}

/** Verifies the signature of https://www.standardwebhooks.com: base64 of HMAC-SHA-256 over `id.timestamp.body`. */
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
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookDelivery // the platform signed it, so it has this shape
  } catch (cause) {
    throw new WebhookVerificationError('the body is not JSON', { cause })
  }
}

function readHeader(headers: VerifyOptions['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(entry) ? entry[0] : entry
}
