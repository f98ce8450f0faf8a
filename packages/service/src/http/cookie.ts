/** A cookie that no script reads. */
export interface Cookie {
  /** Full name, with its prefix. */
  name: string
  set(value: string, maxAgeSeconds: number): string
  clear(): string
  /** Reads the value from a `Cookie` header; undefined if there is none, or several, of which one may be forged. */
  read(header: string | undefined): string | undefined
}

/** Creates a cookie. @param isSecure true to send it over https alone */
export function createCookie(
  name: string,
  { path, sameSite, isSecure }: { path: string; sameSite: 'Lax' | 'Strict'; isSecure: boolean },
): Cookie {
  const attributes = `Path=${path}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`
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
