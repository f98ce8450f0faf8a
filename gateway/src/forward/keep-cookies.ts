import type { IncomingHttpHeaders } from 'node:http'

/** Removes the cookies of a request whose names are not allowed (RFC 6265 section 4.2.1). */
export function keepCookies(headers: IncomingHttpHeaders, isAllowed: (name: string) => boolean): void {
  if (headers.cookie === undefined) return
  const kept = headers.cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => isAllowed(nameOf(pair)))
  if (kept.length === 0) delete headers.cookie
  else headers.cookie = kept.join('; ')
}

/** Returns the name before the first `=`, which some servers read without the spaces around it. */
const nameOf = (pair: string): string => pair.split('=', 1)[0]?.trim() ?? ''
