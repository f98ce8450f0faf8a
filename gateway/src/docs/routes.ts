import { openApiDocument, problem } from '@wp/contracts'
import { Router } from 'express'
import { errorPage, referencePage } from './pages.ts'

/** What the edge itself answers: the interface, described. Made once, from the contracts. */
export function docsRoutes(base: string): Router {
  const router = Router()
  const document = JSON.stringify(openApiDocument(base, 'v1'))
  const reference = referencePage()
  router
    .route('/openapi.json')
    .get((_request, response) => void response.type('json').set('cache-control', 'public, max-age=60').send(document))
    .all(refuseMethod)
  router
    .route('/docs')
    .get((_request, response) => void html(response, reference))
    .all(refuseMethod)
  router
    .route('/docs/errors/:code')
    .get((request, response) => {
      const found = errorPage(request.params.code)
      if (found === undefined) throw problem('not_found')
      html(response, found)
    })
    .all(refuseMethod)
  return router
}

/** Whether a path is one of these. */
export const isDescription = (path: string): boolean =>
  path === '/docs' || path === '/openapi.json' || path.startsWith('/docs/')

function refuseMethod(): never {
  throw problem('method_not_allowed', { headers: { allow: 'GET, HEAD' } })
}

const html = (response: import('express').Response, body: string) =>
  response
    .type('html')
    .set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
    .set('cache-control', 'public, max-age=60')
    .send(body)
