import { createHmac } from 'node:crypto'

/** Secrets that sign attempts: the current one and, during the overlap of a rotation, the previous one. */
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
 * Creates the signature headers of an attempt; none without a secret.
 *
 * `x-webhook-signature` is the lowercase hexadecimal HMAC-SHA-256 of the raw body, keyed with the secret's text. The
 * `webhook-*` headers follow https://www.standardwebhooks.com and verify with its libraries.
 */
export function createSignatureHeaders(
  { current, previous }: SigningSecrets,
  message: SignedMessage,
): Record<string, string> {
  if (current === null) return {}
  const secrets = previous === null ? [current] : [current, previous]
  return {
    'x-webhook-signature': hexSignature(current, message.body),
    ...(previous === null ? {} : { 'x-webhook-signature-previous': hexSignature(previous, message.body) }),
    'webhook-id': message.requestId,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => standardSignature(secret, message)).join(' '),
  }
}

const hexSignature = (secret: string, body: Uint8Array): string =>
  createHmac('sha256', secret).update(body).digest('hex')

/**
 * Standard Webhooks: the part after `whsec_` is the key in base64; any other secret is the key itself. The key is
 * passed as text with an encoding, because Node takes five times as long to sign with a key given as bytes.
 */
const standardSignature = (secret: string, { requestId, timestamp, body }: SignedMessage): string => {
  const hmac = secret.startsWith('whsec_')
    ? createHmac('sha256', secret.slice('whsec_'.length), { encoding: 'base64' })
    : createHmac('sha256', secret)
  return `v1,${hmac.update(`${requestId}.${timestamp}.`).update(body).digest('base64')}`
}
