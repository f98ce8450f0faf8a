import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { DerivedKeys } from '../secrets/derived-keys.ts'
import { hashSecret, type Secret } from '../secrets/secret.ts'

/** How long a sign-in by mail holds. */
export const loginLifetimeMinutes = 10
/** How long a browser has to bring its code to the application. */
export const loginCodeLifetimeSeconds = 60

/** What the link of a mail carries: 256 random bits. */
export function generateLinkToken(): Secret {
  const text = randomBytes(32).toString('base64url')
  return { text, hash: hashSecret(text) }
}

/** What a browser brings to the application: 256 random bits. */
export function generateLoginCode(): Secret {
  const text = `wplc_${randomBytes(32).toString('base64url')}`
  return { text, hash: hashSecret(text) }
}

/** Six digits. So few that who has their hash has them: it is made under a key of the server, and with the login. */
export function generateMailCode(keys: DerivedKeys, loginId: string): Secret {
  const text = String(randomInt(1_000_000)).padStart(6, '0')
  return { text, hash: keys.mac(purpose, `${loginId}:${text}`) }
}

const purpose = 'mail-code'

/** Whether a code is the one that was mailed, in the same time whatever it is. Blanks in it do not count. */
export function matchesMailCode(keys: DerivedKeys, loginId: string, code: string, kept: string | null): boolean {
  const tried = keys.macsUnderAllKeys(purpose, `${loginId}:${code.replaceAll(/\s/g, '')}`)
  return tried.map((one) => isEqualConstantTime(one, kept ?? '')).includes(true)
}

/** PKCE (RFC 7636 section 4.6), method S256. */
export const matchesCodeChallenge = (verifier: string, challenge: string): boolean =>
  isEqualConstantTime(hash('sha256', verifier, 'base64url'), challenge)

/** Compares in a time that depends on the lengths alone. */
export function isEqualConstantTime(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
