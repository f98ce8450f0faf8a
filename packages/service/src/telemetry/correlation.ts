import { randomUUID } from 'node:crypto'

const acceptableId = /^[A-Za-z0-9._-]{8,128}$/
const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const zeros = /^0+$/

/** Returns the request id a caller sent, or a new one if that is missing or malformed. */
export const requestIdOf = (sent: string | undefined): string =>
  sent !== undefined && acceptableId.test(sent) ? sent : `req-${randomUUID()}`

/** The fields of a `traceparent` header. */
export interface Traceparent {
  /** 32 hexadecimal digits. */
  traceId: string
  /** The span that sent the header, 16 hexadecimal digits. */
  parentId: string
  /** Two hexadecimal digits; the lowest bit says that the trace is sampled. */
  flags: string
}

/** Parses a W3C `traceparent` (https://www.w3.org/TR/trace-context/). @returns undefined if there is no valid one */
export function parseTraceparent(sent: string | undefined): Traceparent | undefined {
  const [, traceId, parentId, flags] = (sent === undefined ? undefined : traceparentPattern.exec(sent)) ?? []
  if (traceId === undefined || parentId === undefined || flags === undefined) return undefined
  return zeros.test(traceId) || zeros.test(parentId) ? undefined : { traceId, parentId, flags }
}

/** Continues a W3C trace with a new parent id and the same flags, or starts one that is not sampled. */
export function traceparentOf(sent: string | undefined): string {
  const parsed = parseTraceparent(sent)
  return formatTraceparent(parsed?.traceId, parsed?.flags ?? '00')
}

/** Continues the trace of a client, or starts one; not sampled, whatever the client's flags are. */
export const unsampledTraceparentOf = (sent: string | undefined): string =>
  formatTraceparent(parseTraceparent(sent)?.traceId, '00')

const formatTraceparent = (traceId: string | undefined, flags: string): string =>
  `00-${traceId ?? randomTraceId()}-${randomParentId()}-${flags}`

// From UUIDs, for which Node.js caches randomness: this runs for every request. They have hyphens at 8, 13, 18 and 23.

/** 32 hexadecimal digits, 122 bits of them random. */
function randomTraceId(): string {
  const uuid = randomUUID()
  return uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24)
}

/** 16 hexadecimal digits, 62 bits of them random. */
function randomParentId(): string {
  const uuid = randomUUID()
  return uuid.slice(19, 23) + uuid.slice(24)
}
