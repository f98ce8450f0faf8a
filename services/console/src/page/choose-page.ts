import type { IncomingHttpHeaders } from 'node:http'
import type { WebBuild } from '../assets/web-build.ts'
import type { WebFile } from '../assets/web-file.ts'
import type { Context } from '../context.ts'

/** Paths of pages that are shown without a session too. */
const openPaths = /^\/console\/(?:sign-in\/callback|design)(?:\/|$)/
/** Navigations with which browsers send the session cookie, which is SameSite=Strict (RFC 6265bis section 5.2). */
const ownNavigations: ReadonlySet<unknown> = new Set(['none', 'same-origin', 'same-site'])
const providersMeta = '<meta name="sign-in-providers" content='

/**
 * Returns the page of a path: the sign-in page for a browser that certainly has no session, otherwise that of the app,
 * which finds out by itself.
 */
export async function choosePage(
  { cookies, platform }: Pick<Context, 'cookies' | 'platform'>,
  { page, signInPage }: WebBuild,
  headers: IncomingHttpHeaders,
  path: string,
): Promise<WebFile> {
  const mayHaveSession =
    cookies.session.read(headers.cookie) !== undefined || !ownNavigations.has(headers['sec-fetch-site'])
  if (mayHaveSession || openPaths.test(path)) return page
  return nameProviders(signInPage, await platform.providers.list())
}

/** Inserts the names of the providers, which are constants, so that the page need not ask for them. */
const nameProviders = (page: WebFile, names: readonly string[]): WebFile => ({
  ...page,
  content: Buffer.from(
    page.content.toString().replace(`${providersMeta}""`, () => `${providersMeta}"${names.join(' ')}"`),
  ),
  gzip: null,
  brotli: null,
})
