// The entry for receivers of webhooks: needs node:crypto, which Bun, Deno and other servers have, too.
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

/** The request is not signed with the secret, or is not a delivery. The message says why. Respond 400 and ignore it. */
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
  /** Refuses a delivery without the Standard Webhooks headers, whose signature covers the time. Default false. */
  requireTimestamp?: boolean
  /** Largest accepted difference between the timestamp and the clock, default 300 s. */
  toleranceSeconds?: number
  /** Milliseconds since 1970, default the system clock. */
  now?: number
}

/**
 * Verifies a webhook delivery by both schemes in constant time: `x-webhook-signature`, the lowercase hexadecimal
 * HMAC-SHA-256 of the raw body, keyed with the secret; and the headers of Standard Webhooks, whose signature and
 * timestamp are verified if they are present. During a rotation the signature under the previous secret is accepted
 * too.
 *
 * An attacker who replays a delivery can leave the Standard Webhooks headers out: set `requireTimestamp`, and store
 * request ids to drop duplicates.
 *
 * @throws WebhookVerificationError; TypeError if the secret is empty or the body is not the raw one
 */
export function verifyWebhook(options: VerifyOptions): WebhookDelivery {
  const { body, headers, secret } = options
  if (typeof secret !== 'string' || secret === '') throw new TypeError('secret: must not be empty')
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('body: must be the raw body, a string or bytes; it is verified before it is parsed')
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  verifyHexSignature(bytes, headers, secret)
  verifyStandardSignature(bytes, options)
  return parseDelivery(bytes)
}

const refuse = (message: string) => new WebhookVerificationError(message)

function verifyHexSignature(bytes: Uint8Array, headers: VerifyOptions['headers'], secret: string): void {
  const signatures = ['x-webhook-signature', 'x-webhook-signature-previous']
    .map((name) => readHeader(headers, name))
    .filter((signature) => signature !== undefined)
  if (signatures.length === 0)
    throw refuse('the header x-webhook-signature is missing: the subscription has no secret, or a proxy removed it')
  const expected = createHmac('sha256', secret).update(bytes).digest()
  const wellFormed = signatures.filter((signature) => /^[0-9a-f]{64}$/.test(signature))
  if (wellFormed.length === 0)
    throw refuse('the header x-webhook-signature is malformed: it must be 64 lowercase hexadecimal digits')
  if (!wellFormed.some((signature) => timingSafeEqual(Buffer.from(signature, 'hex'), expected)))
    throw refuse(
      'the signature does not match the body: the secret is another one, or the body is not the raw body as received',
    )
}

/** Verifies the signature of https://www.standardwebhooks.com: base64 of HMAC-SHA-256 over `id.timestamp.body`. */
function verifyStandardSignature(
  bytes: Uint8Array,
  { headers, secret, requireTimestamp = false, toleranceSeconds = 300, now = Date.now() }: VerifyOptions,
): void {
  const read = (name: string) => readHeader(headers, name)
  const [id, timestamp, signature] = [read('webhook-id'), read('webhook-timestamp'), read('webhook-signature')]
  if (id === undefined || timestamp === undefined || signature === undefined) {
    if (!requireTimestamp) return
    throw refuse('a header is missing: webhook-id, webhook-timestamp and webhook-signature are required')
  }
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest('base64')
  if (!signature.split(' ').some((candidate) => equalsInConstantTime(candidate, `v1,${expected}`)))
    throw refuse('the signature in webhook-signature does not match webhook-id, webhook-timestamp and the body')
  const ageSeconds = now / 1000 - Number(timestamp)
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    throw refuse(
      `webhook-timestamp is ${Math.abs(Math.round(ageSeconds))} s ${ageSeconds > 0 ? 'old' : 'in the future'}, more ` +
        `than ${toleranceSeconds} s: the delivery is replayed, or the clock is wrong`,
    )
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
