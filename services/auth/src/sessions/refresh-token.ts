import { randomBytes } from 'node:crypto'
import type { DerivedKeys } from '../secrets/derived-keys.ts'
import { hashSecret, type Secret } from '../secrets/secret.ts'

const purpose = 'refresh-token'
const prefix = 'wprt_'

/** Whether a text has the form of our refresh tokens. */
export const isRefreshToken = (text: string): boolean => /^wprt_[A-Za-z0-9_-]{43}$/.test(text)

/** The first refresh token of a session: 256 random bits. */
export const generateRefreshToken = (): Secret => toSecret(randomBytes(32).toString('base64url'))

/**
 * What may follow a refresh token: derived from it, so that who asks twice gets the same, and nobody without the server's
 * key can say what it is. The first is by the current key, further ones by keys that were replaced.
 */
export const deriveSuccessors = (keys: DerivedKeys, token: string): Secret[] =>
  keys.macsUnderAllKeys(purpose, token).map(toSecret)

function toSecret(value: string): Secret {
  const text = prefix + value
  return { text, hash: hashSecret(text) }
}
