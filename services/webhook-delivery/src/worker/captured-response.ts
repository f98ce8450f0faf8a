import type { ResponseHeaders } from '@wp/outbound'

/** Characters of names and values together. */
const maxHeaderChars = 8_192

/** The answer's headers as text, as many as there is room for. */
export function captureHeaders(headers: ResponseHeaders): Record<string, string> {
  const captured: Record<string, string> = {}
  let remaining = maxHeaderChars
  for (const [name, given] of Object.entries(headers)) {
    const value = Array.isArray(given) ? given.join(', ') : given
    if (value === undefined) continue
    remaining -= name.length + value.length
    if (remaining < 0) break
    captured[replaceNul(name)] = replaceNul(value)
  }
  return captured
}

/** The first part of the answer as text; what is not UTF-8 in it, or was cut in two at its end, shows as U+FFFD. */
export const captureBody = (body: Uint8Array): string | null =>
  body.length === 0 ? null : replaceNul(new TextDecoder('utf-8', { ignoreBOM: true }).decode(body))

/** PostgreSQL's text cannot hold NUL. */
export const replaceNul = (text: string): string => text.replaceAll('\0', '\ufffd')
