import { readFile } from 'node:fs/promises'
import { problem } from '@wp/contracts'
import { chooseEncoding, escapeHtml, matchesTag, sendProblem, siteHeaders } from '@wp/service'
import express, { type Express, type NextFunction, type Request, type Response, Router } from 'express'
import type { Context } from '../context.ts'
import type { SiteFile, SiteFiles } from './site-files.ts'

const sitemapPath = '/docs/sitemap.xml'

/**
 * Creates the routes of the documentation: the built site, the OpenAPI document and the root path.
 *
 * @param site undefined if it was not built
 */
export function createDocsRouter(base: string, site: SiteFiles | undefined): Router {
  const router = Router()
  const document = site?.openApiDocument(base)
  router
    .route('/openapi.json')
    .get((_request, response) => {
      if (document === undefined) throw notBuilt()
      response.type('json').set('cache-control', 'public, max-age=60').send(document)
    })
    .all(rejectMethod)
  router
    .route('/llms.txt')
    .get((_request, response) => response.redirect(308, '/docs/llms.txt'))
    .all(rejectMethod)
  router
    .route('/')
    .get((request, response) => {
      response.vary('accept').set('cache-control', 'public, max-age=60')
      if (request.accepts(['json', 'html']) === 'html') response.redirect(302, '/docs')
      else response.json({ success: true, data: entryPoints(base) })
    })
    .all(rejectMethod)
  router.use('/docs', (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') rejectMethod()
    if (site === undefined) throw notBuilt()
    return serveSite(request, response, site, base)
  })
  return router
}

async function serveSite(request: Request, response: Response, site: SiteFiles, base: string): Promise<void> {
  const [path = ''] = request.originalUrl.split('?', 1)
  if (path === sitemapPath)
    return void response.type('xml').set('cache-control', 'public, max-age=60').send(renderSitemap(base, site.pages))
  if (path === '/docs.md') return response.redirect(308, '/docs/index.md')
  const file = site.files.get(path)
  if (file !== undefined && path.endsWith('.md'))
    return await sendMarkdown(request, response, file, await site.readMarkdown(file, base))
  if (file !== undefined) return await sendSiteFile(request, response, file)
  const withoutSlash = path.replace(/\/+$/, '')
  if (site.files.has(withoutSlash)) return response.redirect(308, withoutSlash)
  response.vary('accept')
  if (request.accepts(['json', 'html']) !== 'html')
    throw problem('not_found', { detail: 'The documentation has no page with this path' })
  await sendSiteFile(request, response, site.notFound, 404)
}

/** Returns true if the documentation serves a path. */
export const isDocsPath = (path: string): boolean =>
  ['/', '/docs', '/docs.md', '/openapi.json', '/llms.txt'].includes(path) || path.startsWith('/docs/')

/** The addresses at which a newcomer starts. */
const entryPoints = (base: string) => ({
  name: 'Workspace platform',
  console: `${base}/console/`,
  docs: `${base}/docs`,
  openapi: `${base}/openapi.json`,
})

const notBuilt = () =>
  problem('service_unavailable', { detail: 'The documentation was not built: run `npm run docs:build`' })

function rejectMethod(): never {
  throw problem('method_not_allowed', { headers: { allow: 'GET, HEAD' } })
}

/** Returns the sitemap of the documentation (https://www.sitemaps.org/protocol.html). */
const renderSitemap = (base: string, paths: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
    .map((path) => `<url><loc>${escapeHtml(`${base}${path}`)}</loc></url>`)
    .join('')}</urlset>\n`

/** Sends a Markdown file, whose text differs between installations. */
async function sendMarkdown(
  request: Request,
  response: Response,
  { kind, contentType, tag }: SiteFile,
  text: string,
): Promise<void> {
  const etag = `"${tag}-${text.length}"`
  response.set({ ...headersOf[kind], etag, 'content-type': contentType })
  if (request.get('if-none-match') === etag) return void response.status(304).end()
  response.end(request.method === 'HEAD' ? undefined : text)
}

const headersOf = siteHeaders({ pageCache: 'no-cache' })
const extensions = { br: '.br', gzip: '.gz' }

/** Sends a file in the smallest encoding that the client accepts; 304 if the client has it, no body for HEAD. */
async function sendSiteFile(request: Request, response: Response, file: SiteFile, status = 200): Promise<void> {
  const encoding = chooseEncoding(request.get('accept-encoding'), (name) => file.encodings.has(name))
  const etag = `"${file.tag}${encoding === undefined ? '' : `-${encoding}`}"`
  response.set({ ...headersOf[file.kind], etag }).vary('accept-encoding')
  const condition = request.get('if-none-match')
  if (status === 200 && condition !== undefined && matchesTag(condition.replaceAll(/\bW\//g, ''), etag))
    return void response.status(304).end()
  const body = await readFile(`${file.file}${encoding === undefined ? '' : extensions[encoding]}`)
  if (encoding !== undefined) response.set('content-encoding', encoding)
  response.status(status).set({ 'content-type': file.contentType, 'content-length': String(body.length) })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/**
 * Creates the Express application that serves the documentation of the API. @param site undefined if it was not built
 */
export function createDocsApp({ config, log }: Pick<Context, 'config' | 'log'>, site: SiteFiles | undefined): Express {
  const app = express().disable('x-powered-by').disable('etag').set('query parser', false)
  app.use(createDocsRouter(config.PUBLIC_BASE_URL, site))
  app.use((_request, _response, next) => next(problem('not_found', { detail: 'No endpoint has this path' })))
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    sendProblem(response, error instanceof URIError ? problem('not_found') : error, {
      base: config.PUBLIC_BASE_URL,
      requestId: String(response.getHeader('x-request-id')),
      log,
    }),
  )
  return app
}
