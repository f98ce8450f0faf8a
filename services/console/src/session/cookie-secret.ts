import { createHash, createHmac, randomBytes } from 'node:crypto'

/** Generates the value of a cookie: 256 random bits. */
export const generateCookieSecret = (): string => randomBytes(32).toString('base64url')

/** Returns the hash by which the row of a cookie is found: who reads the database cannot use a session. */
export const hashCookieSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** Returns the PKCE verifier (RFC 7636) of a sign-in. It follows from the browser's cookie, so it is not stored. */
export const codeVerifierOf = (secret: string): string =>
  createHmac('sha256', secret).update('code_verifier').digest('base64url')

/** Returns the PKCE challenge of a verifier, by method S256. */
export const codeChallengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')
