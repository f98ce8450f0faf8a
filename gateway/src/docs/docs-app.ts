import { problem } from '@wp/contracts'
import { sendProblem } from '@wp/service'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import type { Context } from '../context.ts'
import { createDocsRouter } from './routes.ts'
import type { SiteFiles } from './site-files.ts'

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
