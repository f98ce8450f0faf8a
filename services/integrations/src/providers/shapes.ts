import { text } from '@wp/contracts'
import { z } from 'zod'

/** An address without credentials in it; a secret belongs into a secret. */
export const baseUrl = () =>
  text(2048).refine((value) => {
    const url = URL.parse(value)
    return url !== null && [url.username, url.password, url.search, url.hash].every((part) => part === '')
  }, 'must be an address without user name, password, query or fragment')

export const host = () => text(253)

export const port = (standard: number) => z.number().int().min(1).max(65_535).default(standard)

/** One that fits into a header: printable ASCII. */
export const headerSecret = () => z.string().regex(/^[\x20-\x7e]{1,8192}$/, 'must be printable ASCII')

export const headerName = "[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}"

export const secretText = () => text(32_768)

/** `path` under `base`, whether or not that ends with a slash. */
export function under(base: string, path: string): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  return url.href
}
