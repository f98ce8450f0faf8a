/** Cookies of a sign-in: for the browser alone, never for a script, not sent where another site makes the request. */
export interface Cookie {
  /** As it is set: behind https with the prefix that says nobody could have set it over http. */
  name: string
  set(value: string, maxAgeSeconds: number): string
  clear(): string
  /** What the browser sent back; undefined where it sent none, or several of the name, one of which is not ours. */
  read(header: string | undefined): string | undefined
}

/** @param base the public base address: https makes the cookie secure (RFC 6265bis section 4.1.3.1) */
export function createCookie(base: string, unprefixedName: string, path: string): Cookie {
  const isSecure = base.startsWith('https:')
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

/** Names the sign-in that the browser asked for. */
export const loginCookie = (base: string): Cookie => createCookie(base, 'login', '/v1/auth')

/** What a browser carries while it is at a provider, sealed. */
export const providerLoginCookie = (base: string): Cookie => createCookie(base, 'login-attempt', '/v1/auth/login')
