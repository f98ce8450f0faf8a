import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { problem } from '@wp/contracts'
import { siteHeaders } from '@wp/service'
import type { EarlierAssets } from '../assets/earlier-assets.ts'
import { sendFile } from '../assets/send-file.ts'
import type { WebBuild, WebFile } from '../assets/web-build.ts'
import type { Context } from '../context.ts'

const assetPath = '/console/assets/'

/**
 * Serves a file of the app, or a page for every path that is none: the app shows what the path names.
 *
 * @throws Problem 404 for an asset that no build has, 405, or 503 if the app was not built
 */
export async function servePage(
  context: Pick<Context, 'build' | 'earlierAssets' | 'cookies' | 'platform'>,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const { build, earlierAssets } = context
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw problem('method_not_allowed', { headers: { allow: 'GET, HEAD' } })
  if (path.startsWith(assetPath)) {
    const asset = await findAsset(path.slice(assetPath.length), build, earlierAssets)
    if (asset === undefined) throw problem('not_found', { detail: 'No build of the console has this file' })
    return sendFile(request, response, asset, headersOf.asset)
  }
  if (build === undefined)
    throw problem('service_unavailable', { detail: 'The console was not built: run `npm run console:build`' })
  const file = build.others.get(path.slice('/console/'.length))
  if (file !== undefined) return sendFile(request, response, file, headersOf.other)
  sendFile(request, response, await choosePage(context, build, request.headers, path), headersOf.page)
}

/** Accepts the names that builds give; others are not looked up. */
const assetName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/

async function findAsset(
  name: string,
  build: WebBuild | undefined,
  earlier: EarlierAssets,
): Promise<WebFile | undefined> {
  if (!assetName.test(name)) return undefined
  return build?.assets.get(name) ?? (await earlier.find(name))
}

/** Paths of pages that are shown without a session too. */
const openPaths = /^\/console\/(?:sign-in\/callback|design)(?:\/|$)/
/** Navigations with which browsers send the session cookie, which is SameSite=Strict (RFC 6265bis section 5.2). */
const ownNavigations: ReadonlySet<unknown> = new Set(['none', 'same-origin', 'same-site'])
const providersMeta = '<meta name="sign-in-providers" content='

/**
 * Returns the page of a path: the sign-in page for a browser that certainly has no session, otherwise that of the app,
 * which finds out by itself.
 */
async function choosePage(
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

/** The pages name the files of one build, so they are never stored. */
const headersOf = siteHeaders({ pageCache: 'no-store', images: ' data:' })
