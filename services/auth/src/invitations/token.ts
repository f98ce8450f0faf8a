import { randomBytes } from 'node:crypto'
import { hashSecret, type Secret } from '../secrets/secret.ts'

/** Time in which an invitation can be accepted. */
export const invitationLifetimeMs = 7 * 86_400_000

/** Generates the token of an invitation mail: 256 random bits. */
export function generateInvitationToken(): Secret {
  const text = `wpinv_${randomBytes(32).toString('base64url')}`
  return { text, hash: hashSecret(text) }
}
