import type { ResponseHeaders } from '@wp/outbound'

/** Without a `Cache-Control` field. */
const defaultSeconds = 300
/** A client that changes its redirect URIs is known within this time. */
const maxSeconds = 86_400

/** Returns the seconds for which a response may be cached (RFC 9111 section 5.2.2), at most a day; 0 for not at all. */
export function maxAgeSecondsOf(headers: ResponseHeaders): number {
  const directives = String(headers['cache-control'] ?? '')
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim())
  if (directives.some((directive) => /^(no-store|no-cache)\b/.test(directive))) return 0
  const given = directives.flatMap((directive) => /^(?:s-maxage|max-age)="?(\d{1,9})"?$/.exec(directive)?.[1] ?? [])
  const shortest = given.length === 0 ? defaultSeconds : Math.min(...given.map(Number))
  const age = Number(headers.age ?? 0)
  return Math.min(maxSeconds, Math.max(0, shortest - (Number.isFinite(age) ? age : 0)))
}
