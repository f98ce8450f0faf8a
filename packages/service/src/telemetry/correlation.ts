import { randomUUID } from 'node:crypto'

const acceptableId = /^[A-Za-z0-9._-]{8,128}$/
const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const zeros = /^0+$/

/** Returns the request id a caller sent, or a new one if that is missing or malformed. */
export const requestIdOf = (sent: string | undefined): string =>
  sent !== undefined && acceptableId.test(sent) ? sent : `req-${randomUUID()}`

/** Continues a W3C trace (https://www.w3.org/TR/trace-context/) with a new parent id, or starts one. */
export function traceparentOf(sent: string | undefined): string {
  const [, trace, , flags] = (sent === undefined ? undefined : traceparentPattern.exec(sent)) ?? []
  if (trace === undefined || flags === undefined || zeros.test(trace))
    return `00-${randomHex()}-${randomHex().slice(16)}-01`
  return `00-${trace}-${randomHex().slice(16)}-${flags}`
}

/** 32 random hexadecimal digits. From a UUID, for which Node.js caches randomness: this runs for every request. */
const randomHex = () => randomUUID().replaceAll('-', '')
