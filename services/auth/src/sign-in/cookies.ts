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

/** Sign-ins with a provider that one browser can have open at once, in several tabs. */
const maxOpenSignIns = 4

/** Logins by mail of one browser that are read; the limits of mails allow few in the lifetime of a login. */
const maxOpenLogins = 20

/**
 * Cookie of a login that this browser started. Each login has its own, because the console starts logins without the
 * browser's cookies of auth and must not replace an earlier one.
 */
export const loginCookie = (publicBaseUrl: string, loginId: string): Cookie =>
  createSignInCookie(publicBaseUrl, loginId, '/v1/auth')

/** Reads the ids of the logins this browser started, newest first: the ids sort by time. */
export function readLoginIds(publicBaseUrl: string, header = ''): string[] {
  const ids = header
    .split(';')
    .flatMap((pair) => /^ *(?:__Secure-)?(login_[0-9a-z]{26})=/.exec(pair)?.[1] ?? [])
    .filter((id) => loginCookie(publicBaseUrl, id).read(header) !== undefined)
  return ids.sort().reverse().slice(0, maxOpenLogins)
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
