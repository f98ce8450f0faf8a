import { randomBytes } from 'node:crypto'
import { hashSecret, type Secret } from '../secrets/secret.ts'

/** Lifetime of an authorization code. */
export const authorizationCodeLifetimeSeconds = 60

/** Generates an authorization code: 256 random bits. */
export function generateAuthorizationCode(): Secret {
  const text = `wpac_${randomBytes(32).toString('base64url')}`
  return { text, hash: hashSecret(text) }
}
