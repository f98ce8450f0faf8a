import { randomBytes } from 'node:crypto'
import type { DerivedKeys } from '../secrets/derived-keys.ts'
import { hashSecret, type Secret } from '../secrets/secret.ts'

const purpose = 'refresh-token'
const prefix = 'wprt_'

/** Returns true if the text has the format of our refresh tokens. */
export const isRefreshToken = (text: string): boolean => /^wprt_[A-Za-z0-9_-]{43}$/.test(text)

/** Generates the first refresh token of a session: 256 random bits. */
export const generateRefreshToken = (): Secret => toSecret(randomBytes(32).toString('base64url'))

/**
 * Derives the possible successors of a refresh token with keyed hashes: a repeated request gets the same successor, and
 * the successor cannot be computed without the server's key. The first uses the current key, the others replaced keys.
 */
export const deriveSuccessors = (keys: DerivedKeys, token: string): Secret[] =>
  keys.macsUnderAllKeys(purpose, token).map(toSecret)

function toSecret(value: string): Secret {
  const text = prefix + value
  return { text, hash: hashSecret(text) }
}
