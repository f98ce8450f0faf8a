import { createHmac, timingSafeEqual } from 'node:crypto'

/** Largest accepted age of a signature, as in the libraries of Stripe. */
const toleranceSeconds = 300
/** An attacker could send many signatures to be compared; Stripe sends two during a rotation of the secret. */
const maxSignatures = 10

/**
 * Returns true if an event was signed by Stripe within the last 5 minutes: `Stripe-Signature` holds a timestamp `t` and
 * signatures `v1`, each the HMAC-SHA-256 of `<t>.<raw body>` (https://docs.stripe.com/webhooks#verify-manually).
 * Signatures are compared in constant time.
 *
 * @param now milliseconds since 1970
 */
export function isSignedByStripe(body: Uint8Array, signatureHeader: string, secret: string, now: number): boolean {
  const parts = signatureHeader.split(',').map((part) => part.trim().split('=', 2))
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(timestamp)) return false
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  const signatures = parts.flatMap(([name, value]) => (name === 'v1' && value !== undefined ? [value] : []))
  const isSigned = signatures
    .slice(0, maxSignatures)
    .some((text) => /^[0-9a-f]{64}$/.test(text) && timingSafeEqual(Buffer.from(text, 'hex'), expected))
  return isSigned && Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds
}
