import { randomUUID } from 'node:crypto'

const acceptable = /^[A-Za-z0-9._-]{8,128}$/
const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const zeros = /^0+$/

/** The request id a caller sent, where it is acceptable; a new one otherwise. */
export const requestIdOf = (sent: string | undefined): string =>
  sent !== undefined && acceptable.test(sent) ? sent : `req-${randomUUID()}`

/** Continues a W3C trace (https://www.w3.org/TR/trace-context/): same trace id, a new parent id; or begins one. */
export function traceparentOf(sent: string | undefined): string {
  const [, trace, , flags] = (sent === undefined ? undefined : traceparentPattern.exec(sent)) ?? []
  if (trace === undefined || flags === undefined || zeros.test(trace))
    return `00-${randomHex()}-${randomHex().slice(16)}-01`
  return `00-${trace}-${randomHex().slice(16)}-${flags}`
}

/** 32 hexadecimal digits. By way of UUIDs, for which Node draws randomness in stock: this is on the way of every request. */
const randomHex = () => randomUUID().replaceAll('-', '')
