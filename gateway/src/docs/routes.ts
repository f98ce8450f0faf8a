import { openApiDocument, problem } from '@wp/contracts'
import { pageHeaders } from '@wp/service'
import { type Response, Router } from 'express'
import { errorPage, referencePage } from './pages.ts'

/** What the edge itself answers: the interface, described. Made once, from the contracts. */
export function docsRoutes(base: string): Router {
  const router = Router()
  const document = JSON.stringify(openApiDocument(base, 'v1'))
  const reference = renderPage(referencePage())
  router
    .route('/openapi.json')
    .get((_request, response) => void response.type('json').set('cache-control', 'public, max-age=60').send(document))
    .all(refuseMethod)
  router
    .route('/docs')
    .get((_request, response) => sendPage(response, reference))
    .all(refuseMethod)
  router
    .route('/docs/errors/:code')
    .get((request, response) => {
      const found = errorPage(request.params.code)
      if (found === undefined) throw problem('not_found')
      sendPage(response, renderPage(found))
    })
    .all(refuseMethod)
  return router
}

/** Whether a path is one of these. */
export const isDocsPath = (path: string): boolean =>
  path === '/docs' || path === '/openapi.json' || path.startsWith('/docs/')

function refuseMethod(): never {
  throw problem('method_not_allowed', { headers: { allow: 'GET, HEAD' } })
}

const renderPage = (body: string) => ({
  body,
  headers: { ...pageHeaders(body), 'cache-control': 'public, max-age=60' },
})

const sendPage = (response: Response, { body, headers }: ReturnType<typeof renderPage>) =>
  void response.set(headers).send(body)
