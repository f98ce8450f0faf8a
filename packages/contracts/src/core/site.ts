import type { ServiceName } from './services.ts'

/** A site: pages that a service serves through the edge, below a path of its own and outside the API. */
export interface SiteDefinition {
  service: ServiceName
  /** The site has this path and all paths below it. */
  path: `/${string}`
  /** Path of its own API, which takes any method and whose requests and responses are streamed; default: none. */
  apiPath?: `/${string}`
  /** Names of the cookies that the edge passes to this service, and to no other. */
  cookies: readonly string[]
}

/** Names of the console's cookies. Those without the prefix are for plain HTTP on loopback only. */
export const consoleCookies = {
  session: { secure: '__Host-console', plain: 'console' },
  signIn: { secure: '__Host-console-sign-in', plain: 'console-sign-in' },
  device: { secure: '__Host-console-device', plain: 'console-device' },
} as const

/** Name of the cookie by which auth tells a known browser from a new one. */
export const deviceCookieName = { secure: '__Host-device', plain: 'device' } as const

/** Path of the page that a sign-in at the console comes back to. */
export const consoleCallbackPath = '/console/sign-in/callback'

/** Path of the pages of portal links. A page is below it at `<cell>.<portal link id>`. */
export const portalPath = '/portal'

/** Every site. */
export const sites: readonly SiteDefinition[] = [
  {
    service: 'console',
    path: '/console',
    apiPath: '/console/api',
    cookies: Object.values(consoleCookies).flatMap(({ secure, plain }) => [secure, plain]),
  },
  // Without cookies: a portal link authenticates by the secret in the fragment of its address alone.
  { service: 'console', path: portalPath, cookies: [] },
]
