import type { IncomingMessage, ServerResponse } from 'node:http'
import { type PortalPage, portalPath, problem } from '@wp/contracts'
import { allowFraming, escapeHtml, siteHeaders } from '@wp/service'
import { sendFile } from '../assets/send-file.ts'
import type { WebFile } from '../assets/web-build.ts'
import type { Context } from '../context.ts'

const { page: headers } = siteHeaders({ pageCache: 'no-store', images: ' data:' })

/**
 * Serves the page of a portal link, with what it shows before anyone has authenticated, also when the link has ended.
 * Pages of the origins that the link names may frame it.
 *
 * @throws Problem 405; 503 if the app was not built, or webhook delivery is unavailable
 */
export async function servePortal(
  { build, portalPages, now }: Pick<Context, 'build' | 'portalPages' | 'now'>,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw problem('method_not_allowed', { headers: { allow: 'GET, HEAD' } })
  if (build === undefined)
    throw problem('service_unavailable', { detail: 'The console was not built: run `npm run console:build`' })
  const [name = ''] = path.slice(portalPath.length + 1).split('/')
  const page = await portalPages.find(name)
  if (page === undefined) response.statusCode = 404
  const file = page === undefined ? build.portalPage : describePage(build.portalPage, page, now())
  sendFile(request, response, file, allowFraming(headers, page?.frame_origins ?? []))
}

const pageMeta = '<meta name="portal-page" content='
const nameMeta = /(<meta name="product-name" content=")[^"]*(")/

/** Writes the settings of a link into its page, as the app reads them. */
function describePage(file: WebFile, page: PortalPage, nowMs: number): WebFile {
  const { is_revoked: isRevoked, expires_at: expiresAt, theme } = page
  const shown = {
    frame_origins: page.frame_origins,
    return_url: page.return_url,
    theme,
    is_ended: isRevoked || Date.parse(expiresAt) <= nowMs,
  }
  const { name } = theme
  const described = file.content
    .toString()
    .replace(`${pageMeta}""`, () => `${pageMeta}"${escapeHtml(JSON.stringify(shown))}"`)
  const named =
    name === null ? described : described.replace(nameMeta, (_, start, end) => `${start}${escapeHtml(name)}${end}`)
  return { ...file, content: Buffer.from(named), gzip: null, brotli: null }
}
