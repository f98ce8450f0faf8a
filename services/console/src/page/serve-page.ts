import type { IncomingMessage, ServerResponse } from 'node:http'
import { problem } from '@wp/contracts'
import type { EarlierAssets } from '../assets/earlier-assets.ts'
import { sendFile } from '../assets/send-file.ts'
import type { WebBuild } from '../assets/web-build.ts'
import type { WebFile } from '../assets/web-file.ts'
import type { Context } from '../context.ts'
import { choosePage } from './choose-page.ts'
import { assetHeaders, otherFileHeaders, pageResponseHeaders } from './page-policy.ts'

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
    return sendFile(request, response, asset, assetHeaders)
  }
  if (build === undefined)
    throw problem('service_unavailable', { detail: 'The console was not built: run `npm run console:build`' })
  const file = build.others.get(path.slice('/console/'.length))
  if (file !== undefined) return sendFile(request, response, file, otherFileHeaders)
  sendFile(request, response, await choosePage(context, build, request.headers, path), pageResponseHeaders)
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
