import { hash, randomBytes, randomInt } from 'node:crypto'
import type { DerivedKeys } from '../secrets/derived-keys.ts'
import { hashSecret, isEqualConstantTime, type Secret } from '../secrets/secret.ts'

/** Lifetime of a sign-in by mail. */
export const loginLifetimeMinutes = 10
/** Lifetime of a login code, which the browser takes to the application. */
export const loginCodeLifetimeSeconds = 60

/** Generates the token of a mail's link: 256 random bits. */
export function generateLinkToken(): Secret {
  const text = randomBytes(32).toString('base64url')
  return { text, hash: hashSecret(text) }
}

/** Generates the login code the browser takes to the application: 256 random bits. */
export function generateLoginCode(): Secret {
  const text = `wplc_${randomBytes(32).toString('base64url')}`
  return { text, hash: hashSecret(text) }
}

/**
 * Generates the six-digit code of a mail. A plain hash of six digits can be reversed by trying all of them, so the hash
 * is keyed and includes the login id.
 */
export function generateMailCode(keys: DerivedKeys, loginId: string): Secret {
  const text = String(randomInt(1_000_000)).padStart(6, '0')
  return { text, hash: keys.mac(purpose, `${loginId}:${text}`) }
}

const purpose = 'mail-code'

/** Compares a code with the stored hash in constant time, as a user may type or copy it: see `readDigits`. */
export function matchesMailCode(keys: DerivedKeys, loginId: string, code: string, storedHash: string | null): boolean {
  const macs = keys.macsUnderAllKeys(purpose, `${loginId}:${readDigits(code)}`)
  return macs.map((mac) => isEqualConstantTime(mac, storedHash ?? '')).includes(true)
}

/**
 * Returns the digits of a code in ASCII, of any script and width, without the spaces, dashes, dots and invisible
 * characters between them. Other characters remain, so that the code does not match.
 */
export const readDigits = (code: string): string =>
  code
    .normalize('NFKC')
    .replaceAll(/[\s\p{Dash}\p{Default_Ignorable_Code_Point}\p{Cf}.]/gu, '')
    .replaceAll(/\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)))

/** The digits of a script follow each other, from zero to nine. */
function digitValue(codePoint: number): number {
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(codePoint - value - 1))) value++
  return value
}

/** Generates a PKCE code verifier (RFC 7636 section 4.1). */
export const generateCodeVerifier = (): string => randomBytes(32).toString('base64url')

/** Returns the PKCE code challenge of a verifier, method S256. */
export const codeChallengeOf = (verifier: string): string => hash('sha256', verifier, 'base64url')

/** Verifies a PKCE code verifier (RFC 7636 section 4.6, method S256). */
export const matchesCodeChallenge = (verifier: string, challenge: string): boolean =>
  isEqualConstantTime(codeChallengeOf(verifier), challenge)
