import { openApiDocument, problem } from '@wp/contracts'
import { pageHeaders } from '@wp/service'
import { type Response, Router } from 'express'
import { errorPage, referencePage, startPage } from './pages.ts'

/** Creates the routes of the documentation. Documents are rendered once, from the contracts. */
export function createDocsRouter(base: string): Router {
  const router = Router()
  const document = JSON.stringify(openApiDocument(base, 'v1'))
  const reference = withPageHeaders(referencePage())
  const start = withPageHeaders(startPage())
  router
    .route('/openapi.json')
    .get((_request, response) => void response.type('json').set('cache-control', 'public, max-age=60').send(document))
    .all(rejectMethod)
  router
    .route('/')
    .get((request, response) => {
      response.vary('accept')
      if (request.accepts(['json', 'html']) === 'html') sendPage(response, start)
      else response.set('cache-control', 'public, max-age=60').json({ success: true, data: entryPoints(base) })
    })
    .all(rejectMethod)
  router
    .route('/docs')
    .get((_request, response) => sendPage(response, reference))
    .all(rejectMethod)
  router
    .route('/docs/errors/:code')
    .get((request, response) => {
      const page = errorPage(request.params.code)
      if (page === undefined) throw problem('not_found')
      sendPage(response, withPageHeaders(page))
    })
    .all(rejectMethod)
  return router
}

/** Returns true if the documentation serves a path. */
export const isDocsPath = (path: string): boolean =>
  path === '/' || path === '/docs' || path === '/openapi.json' || path.startsWith('/docs/')

/** The addresses at which a newcomer starts. */
const entryPoints = (base: string) => ({
  name: 'Workspace platform',
  console: `${base}/console/`,
  docs: `${base}/docs`,
  openapi: `${base}/openapi.json`,
})

function rejectMethod(): never {
  throw problem('method_not_allowed', { headers: { allow: 'GET, HEAD' } })
}

const withPageHeaders = (body: string) => ({
  body,
  headers: { ...pageHeaders(body), 'cache-control': 'public, max-age=60' },
})

const sendPage = (response: Response, { body, headers }: ReturnType<typeof withPageHeaders>) =>
  void response.set(headers).send(body)
