import { openApiDocument, problem } from '@wp/contracts'
import { Router } from 'express'
import { errorPage, referencePage } from './pages.ts'

/** What the edge itself answers: the interface, described. Made once, from the contracts. */
export function docsRoutes(base: string): Router {
  const router = Router()
  const document = JSON.stringify(openApiDocument(base, 'v1'))
  const reference = referencePage()
  router.get(
    '/openapi.json',
    (_request, response) => void response.type('json').set('cache-control', 'public, max-age=60').send(document),
  )
  router.get('/docs', (_request, response) => void html(response, reference))
  router.get('/docs/errors/:code', (request, response) => {
    const found = errorPage(request.params.code)
    if (found === undefined) throw problem('not_found')
    html(response, found)
  })
  return router
}

const html = (response: import('express').Response, body: string) =>
  response
    .type('html')
    .set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
    .set('cache-control', 'public, max-age=60')
    .send(body)
