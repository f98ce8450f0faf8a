import { randomBytes } from 'node:crypto'
import { type Cookie, createCookie } from '@wp/service'

const tokenPattern = /^[A-Za-z0-9_-]{43}$/
/** Browsers keep a cookie for 400 days at most (RFC 6265bis section 5.5). */
const cookieSeconds = 400 * 86_400

/**
 * Creates a sign-in cookie. It is SameSite=Lax, so that browsers omit it in cross-site subrequests. With an https base
 * URL it is secure and has the prefix for its path, which browsers accept only over https (RFC 6265bis section 4.1.3).
 */
function createSignInCookie(publicBaseUrl: string, unprefixedName: string, path: string): Cookie {
  const isSecure = publicBaseUrl.startsWith('https:')
  const prefix = path === '/' ? '__Host-' : '__Secure-'
  return createCookie(`${isSecure ? prefix : ''}${unprefixedName}`, { path, sameSite: 'Lax', isSecure })
}

/** Sign-ins that one browser can have open at once: in several tabs, or by several mails. */
const maxOpenSignIns = 4

/** Cookie with the ids of the logins this browser started, newest first. */
export const loginCookie = (publicBaseUrl: string): Cookie => createSignInCookie(publicBaseUrl, 'login', '/v1/auth')

/** Reads the ids of the logins this browser started, newest first. */
export const readLoginIds = (publicBaseUrl: string, header: string | undefined): string[] =>
  loginCookie(publicBaseUrl).read(header)?.split('.').slice(0, maxOpenSignIns) ?? []

/** Returns the cookie of a browser that starts a login beside those it has started. */
export const addLoginId = (ids: readonly string[], added: string): string =>
  [added, ...ids.filter((id) => id !== added)].slice(0, maxOpenSignIns).join('.')

/** Returns the `Set-Cookie` field of a browser that has completed a login. */
export function removeLoginId(publicBaseUrl: string, ids: readonly string[], removed: string, seconds: number): string {
  const others = ids.filter((id) => id !== removed)
  const cookie = loginCookie(publicBaseUrl)
  return others.length === 0 ? cookie.clear() : cookie.set(others.join('.'), seconds)
}

/**
 * Cookie of the browser's session at the pages of an authorization. With https its prefix is `__Host-`, so that no
 * other site of the same parent domain can set it; browsers then send it to all paths, and the edge forwards it to auth
 * alone.
 */
export const browserSessionCookie = (publicBaseUrl: string): Cookie =>
  createSignInCookie(publicBaseUrl, 'browser-session', publicBaseUrl.startsWith('https:') ? '/' : '/v1/auth/authorize')

/**
 * Cookies with the PKCE verifiers of sign-ins with a provider that began without a challenge, each at the place of its
 * pending authorization. Sent to `verify` only.
 */
export const loginVerifierCookies = (publicBaseUrl: string): readonly Cookie[] =>
  createCookies(publicBaseUrl, 'login-verifier', '/v1/auth/verify')

/** Cookies with the sealed pending authorizations while the browser is at a provider: one for each open sign-in. */
export const providerLoginCookies = (publicBaseUrl: string): readonly Cookie[] =>
  createCookies(publicBaseUrl, 'login-attempt', '/v1/auth/login')

function createCookies(publicBaseUrl: string, name: string, path: string): readonly Cookie[] {
  const suffixes = Array.from({ length: maxOpenSignIns }, (_, index) => (index === 0 ? '' : `-${index + 1}`))
  return suffixes.map((suffix) => createSignInCookie(publicBaseUrl, name + suffix, path))
}

/**
 * Returns the place of a new value among cookies: the first that is free, or else that of the oldest, which browsers
 * send first (RFC 6265 section 5.4).
 */
export function placeOfNewCookie(cookies: readonly Cookie[], header = ''): number {
  const free = cookies.findIndex((cookie) => cookie.read(header) === undefined)
  if (free !== -1) return free
  const positions = cookies.map(({ name }) => `; ${header}`.indexOf(`; ${name}=`))
  return positions.indexOf(Math.min(...positions))
}

/** Cookie of a browser in which someone has signed in. It proves nothing: it tells a known device from a new one. */
export const deviceCookie = (publicBaseUrl: string): Cookie => createSignInCookie(publicBaseUrl, 'device', '/')

/** The browser of a sign-in, by a cookie that outlives its sessions. */
export interface Device {
  token: string
  /** `Set-Cookie` field, which extends its lifetime. */
  cookie: string
}

/** Reads the device of a request, or creates one. */
export function readDevice(publicBaseUrl: string, cookieHeader: string | undefined): Device {
  const cookie = deviceCookie(publicBaseUrl)
  const sent = cookie.read(cookieHeader)
  const token = sent !== undefined && tokenPattern.test(sent) ? sent : randomBytes(32).toString('base64url')
  return { token, cookie: cookie.set(token, cookieSeconds) }
}
