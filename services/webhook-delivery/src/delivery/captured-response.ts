import type { ResponseHeaders } from '@wp/outbound'

/** Limit of the characters of all names and values. */
const maxHeaderChars = 8_192

/** Returns the response headers to record, up to the limit. */
export function captureHeaders(headers: ResponseHeaders): Record<string, string> {
  const captured: Record<string, string> = {}
  let remaining = maxHeaderChars
  for (const [name, values] of Object.entries(headers)) {
    const value = Array.isArray(values) ? values.join(', ') : values
    if (value === undefined) continue
    remaining -= name.length + value.length
    if (remaining < 0) break
    captured[replaceNul(name)] = replaceNul(value)
  }
  return captured
}

/**
 * Decodes the beginning of a response body; bytes that are not UTF-8, or a character cut off at its end, become U+FFFD.
 */
export const captureBody = (body: Uint8Array): string | null =>
  body.length === 0 ? null : replaceNul(new TextDecoder('utf-8', { ignoreBOM: true }).decode(body))

/** Replaces NUL, which PostgreSQL's `text` cannot store. */
export const replaceNul = (text: string): string => text.replaceAll('\0', '\ufffd')
