const base = '/console'
const signInPath = '/sign-in'

/**
 * Returns an address of the console only, so that a link cannot lead elsewhere after the sign-in; undefined for others.
 */
export const returnPath = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined

/** Returns the path to open after the sign-in, from the address of the sign-in page. */
export const readReturnPath = (): string | undefined =>
  returnPath(new URLSearchParams(location.search).get('return_to'))

/** Returns the domain of the company with which to sign in at once, from the address of the sign-in page. */
export const readCompany = (): string | undefined => new URLSearchParams(location.search).get('company') ?? undefined

/** Replaces the address of any other page by that of the sign-in page, which names the other one. */
export function showSignInPath(): void {
  const { pathname, search, hash } = location
  const path = pathname.slice(base.length)
  if (path === signInPath) return
  const wanted = path === '' || path === '/' ? '' : `?${new URLSearchParams({ return_to: path + search + hash })}`
  history.replaceState(null, '', base + signInPath + wanted)
}
