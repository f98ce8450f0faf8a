import { randomBytes } from 'node:crypto'
import { deviceCookie } from './cookies.ts'

/** The browser of a sign-in, by a cookie that outlives its sessions. */
export interface Device {
  token: string
  /** `Set-Cookie` field, which extends its lifetime. */
  cookie: string
}

const tokenPattern = /^[A-Za-z0-9_-]{43}$/
/** Browsers keep a cookie for 400 days at most (RFC 6265bis section 5.5). */
const cookieSeconds = 400 * 86_400

/** Reads the device of a request, or creates one. */
export function readDevice(publicBaseUrl: string, cookieHeader: string | undefined): Device {
  const cookie = deviceCookie(publicBaseUrl)
  const sent = cookie.read(cookieHeader)
  const token = sent !== undefined && tokenPattern.test(sent) ? sent : randomBytes(32).toString('base64url')
  return { token, cookie: cookie.set(token, cookieSeconds) }
}
