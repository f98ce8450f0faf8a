import { text } from '@wp/contracts'
import { z } from 'zod'

/** A URL without credentials or query, which would be readable; secrets belong into `secrets`. */
export const baseUrl = () =>
  text(2048).refine((value) => {
    const url = URL.parse(value)
    return url !== null && [url.username, url.password, url.search, url.hash].every((part) => part === '')
  }, 'must be a URL without user name, password, query or fragment')

export const host = () => text(253)

export const port = (defaultPort: number) => z.number().int().min(1).max(65_535).default(defaultPort)

/** A secret that can be sent in a header: printable ASCII. */
export const headerSecret = () => z.string().regex(/^[\x20-\x7e]{1,8192}$/, 'must be printable ASCII')

export const headerName = "[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}"

export const secretText = () => text(32_768)

/** Appends a path to a base URL, with or without a trailing slash. */
export function under(base: string, path: string): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  return url.href
}
