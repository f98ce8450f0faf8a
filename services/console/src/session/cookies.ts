import { createHash, createHmac, randomBytes } from 'node:crypto'
import { consoleCookies } from '@wp/contracts'
import { type Cookie, createCookie } from '@wp/service'

/** The cookies of the console. */
export interface ConsoleCookies {
  session: Cookie
  /** The browser that began to sign in. */
  pendingSignIn: Cookie
  /** The browser, for longer than its sessions: a sign-in in a new one is announced by mail. */
  device: Cookie
}

/**
 * Creates the cookies, which are SameSite=Strict. With https they have the prefix `__Host-` (RFC 6265bis section
 * 4.1.3.2), so that neither another host nor a page over plain http can set them. Plain http is used on loopback only;
 * browsers reject the prefix there.
 */
export function createCookies(publicBaseUrl: string): ConsoleCookies {
  const isSecure = publicBaseUrl.startsWith('https:')
  const create = ({ secure, plain }: { secure: string; plain: string }) =>
    createCookie(isSecure ? secure : plain, { path: '/', sameSite: 'Strict', isSecure })
  return {
    session: create(consoleCookies.session),
    pendingSignIn: create(consoleCookies.signIn),
    device: create(consoleCookies.device),
  }
}

/** Generates the value of a cookie: 256 random bits. */
export const generateCookieSecret = (): string => randomBytes(32).toString('base64url')

/** Returns the hash by which the row of a cookie is found: who reads the database cannot use a session. */
export const hashCookieSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** Returns the PKCE verifier (RFC 7636) of a sign-in. It follows from the browser's cookie, so it is not stored. */
export const codeVerifierOf = (secret: string): string =>
  createHmac('sha256', secret).update('code_verifier').digest('base64url')

/** Returns the PKCE challenge of a verifier, by method S256. */
export const codeChallengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')
