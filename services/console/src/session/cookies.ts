import { createHash, createHmac, randomBytes } from 'node:crypto'
import { consoleCookies } from '@wp/contracts'

/**
 * A cookie of the console. It is HttpOnly and SameSite=Strict, and sent to the whole origin, as its prefix requires.
 */
export interface ConsoleCookie {
  name: string
  set(value: string, maxAgeSeconds: number): string
  clear(): string
  /** Reads the value from a `Cookie` header; undefined if there is none, or several, of which one may be forged. */
  read(header: string | undefined): string | undefined
}

/** The cookies of the console. */
export interface ConsoleCookies {
  session: ConsoleCookie
  /** The browser that began to sign in. */
  pendingSignIn: ConsoleCookie
}

/**
 * Creates the cookies. With https they have the prefix `__Host-` (RFC 6265bis section 4.1.3.2), so that neither another
 * host nor a page over plain http can set them. Plain http is used on loopback only; browsers reject the prefix there.
 */
export function createCookies(publicBaseUrl: string): ConsoleCookies {
  const isSecure = publicBaseUrl.startsWith('https:')
  const create = ({ secure, plain }: { secure: string; plain: string }) =>
    createCookie(isSecure ? secure : plain, isSecure)
  return { session: create(consoleCookies.session), pendingSignIn: create(consoleCookies.signIn) }
}

function createCookie(name: string, isSecure: boolean): ConsoleCookie {
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return {
    name,
    set: (value, maxAgeSeconds) => `${name}=${value}; Max-Age=${maxAgeSeconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
    read(header) {
      const [value, ...others] = (header ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1))
      return others.length > 0 || value === '' ? undefined : value
    },
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
