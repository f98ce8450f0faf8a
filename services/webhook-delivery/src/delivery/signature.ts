import { createHmac } from 'node:crypto'

/** The secrets that sign now: the current one, and during a rotation's overlap the one before. */
export interface SigningSecrets {
  current: string | null
  previous: string | null
}

export interface SignedMessage {
  requestId: string
  /** Seconds since 1970. */
  timestamp: number
  body: Uint8Array
}

/**
 * The signature headers of one attempt; none without a secret.
 *
 * `x-webhook-signature` is the platform's own: lowercase hexadecimal HMAC-SHA-256 of the raw body under the secret as
 * written. The `webhook-*` ones follow https://www.standardwebhooks.com, so that its libraries verify us as they are.
 */
export function createSignatureHeaders(
  { current, previous }: SigningSecrets,
  signed: SignedMessage,
): Record<string, string> {
  if (current === null) return {}
  const secrets = previous === null ? [current] : [current, previous]
  return {
    'x-webhook-signature': hexSignature(current, signed.body),
    ...(previous === null ? {} : { 'x-webhook-signature-previous': hexSignature(previous, signed.body) }),
    'webhook-id': signed.requestId,
    'webhook-timestamp': String(signed.timestamp),
    'webhook-signature': secrets.map((secret) => standardSignature(secret, signed)).join(' '),
  }
}

const hexSignature = (secret: string, body: Uint8Array): string =>
  createHmac('sha256', secret).update(body).digest('hex')

/**
 * Standard Webhooks: what follows `whsec_` is base64 of the key; any other secret is used as it is. The key goes as text:
 * at one of bytes Node looks for five times as long as it takes to sign.
 */
const standardSignature = (secret: string, { requestId, timestamp, body }: SignedMessage): string => {
  const hmac = secret.startsWith('whsec_')
    ? createHmac('sha256', secret.slice('whsec_'.length), { encoding: 'base64' })
    : createHmac('sha256', secret)
  return `v1,${hmac.update(`${requestId}.${timestamp}.`).update(body).digest('base64')}`
}
