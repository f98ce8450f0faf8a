import type { ResponseHeaders } from '@wp/outbound'

/** Characters of names and values together. */
const headersKept = 8_192

/** The answer's headers as text, as many as there is room for. */
export function keptHeaders(headers: ResponseHeaders): Record<string, string> {
  const kept: Record<string, string> = {}
  let room = headersKept
  for (const [name, given] of Object.entries(headers)) {
    const value = Array.isArray(given) ? given.join(', ') : given
    if (value === undefined) continue
    room -= name.length + value.length
    if (room < 0) break
    kept[withoutNul(name)] = withoutNul(value)
  }
  return kept
}

/** The first part of the answer as text; what is not UTF-8 in it, or was cut in two at its end, shows as U+FFFD. */
export const keptBody = (body: Uint8Array): string | null =>
  body.length === 0 ? null : withoutNul(new TextDecoder('utf-8', { ignoreBOM: true }).decode(body))

/** PostgreSQL's text cannot hold NUL. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd')
