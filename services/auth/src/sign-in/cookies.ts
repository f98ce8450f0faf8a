/** A sign-in cookie: HttpOnly, and SameSite=Lax so that browsers omit it in cross-site subrequests. */
export interface Cookie {
  /** Full name. With https it has the prefix `__Secure-`, which browsers accept only over https. */
  name: string
  set(value: string, maxAgeSeconds: number): string
  clear(): string
  /** Reads the value from a `Cookie` header; undefined if there is none, or several, of which one may be forged. */
  read(header: string | undefined): string | undefined
}

/** Creates a cookie; with an https base URL it is secure and has the prefix (RFC 6265bis section 4.1.3.1). */
export function createCookie(publicBaseUrl: string, unprefixedName: string, path: string): Cookie {
  const isSecure = publicBaseUrl.startsWith('https:')
  const name = `${isSecure ? '__Secure-' : ''}${unprefixedName}`
  const attributes = `Path=${path}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
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

/** Cookie with the id of the login this browser started. */
export const loginCookie = (publicBaseUrl: string): Cookie => createCookie(publicBaseUrl, 'login', '/v1/auth')

/** Cookie of the browser's session, sent to the pages of an authorization only. */
export const browserSessionCookie = (publicBaseUrl: string): Cookie =>
  createCookie(publicBaseUrl, 'browser-session', '/v1/auth/authorize')

/** Cookie with the PKCE verifier of a sign-in with a provider that began without a challenge. Sent to `verify` only. */
export const loginVerifierCookie = (publicBaseUrl: string): Cookie =>
  createCookie(publicBaseUrl, 'login-verifier', '/v1/auth/verify')

/** Cookie with the sealed pending authorization while the browser is at a provider. */
export const providerLoginCookie = (publicBaseUrl: string): Cookie =>
  createCookie(publicBaseUrl, 'login-attempt', '/v1/auth/login')
