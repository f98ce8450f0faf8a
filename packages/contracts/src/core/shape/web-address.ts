import { z } from 'zod'

/** A URL in the form in which it is stored and compared, or why it is none. */
export type WebAddress = { url: string } | { fault: string }

/**
 * Reads a URL that a user entered: trimmed, and as the URL parser writes it (https://url.spec.whatwg.org/#url-writing).
 * Rejects what that parser repairs silently, because other programs read it in another way, and what readers do not
 * see: spaces, line breaks and format characters inside, backslashes, and a scheme without two slashes and a host.
 */
export function readWebAddress(text: string): WebAddress {
  const trimmed = text.trim()
  const url = URL.parse(trimmed)
  if (url === null) return { fault: 'is not valid' }
  if (/[\s\p{Cc}\p{Cf}]/u.test(trimmed)) return { fault: 'must not contain spaces, control or invisible characters' }
  if (/^[^?#]*\\/.test(trimmed)) return { fault: 'must not contain a backslash' }
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:'
  if (isHttp && !/^https?:\/\/[^/?#]/i.test(trimmed)) return { fault: 'must begin with https:// and a host name' }
  return { url: url.href }
}

/**
 * A URL in an input. The output is that of `readWebAddress`; other text is only trimmed, and rejected by the rule that
 * checks the address: `Outbound.validateUrl` or `isSecureWebAddress`.
 */
export const webAddress = (max: number) =>
  z
    .string()
    .max(max)
    .overwrite((text) => {
      const address = readWebAddress(text)
      return 'url' in address ? address.url : text.trim()
    })

/** Returns true for an https URL. */
export function isSecureWebAddress(text: string): boolean {
  const address = readWebAddress(text)
  return 'url' in address && address.url.startsWith('https:')
}

/**
 * Returns a host name or IP address in the form in which it is stored and compared: as in a URL, without brackets.
 * Other text is only trimmed, and rejected by the rule that checks the address: `Outbound.validateHost`.
 */
export function canonicalHost(text: string): string {
  const trimmed = text.trim()
  const address = readWebAddress(`https://${trimmed.includes(':') && trimmed[0] !== '[' ? `[${trimmed}]` : trimmed}`)
  const url = 'url' in address ? new URL(address.url) : null
  return url === null || url.href !== `https://${url.host}/` ? trimmed : url.hostname.replaceAll(/^\[|\]$/g, '')
}
