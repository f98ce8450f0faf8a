import { createServer, type Server } from 'node:http'
import express from 'express'
import type { Context } from './context.ts'

/** Creates the server of health, readiness and metrics, which is not public. */
export function createAdminServer(
  { metrics, identityCache, peerCount }: Pick<Context, 'metrics' | 'identityCache' | 'peerCount'>,
  isDraining: () => boolean,
): Server {
  const app = express().disable('x-powered-by')
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/readyz', (_request, response) => {
    if (isDraining()) response.status(503).json({ status: 'draining' })
    else response.json({ status: 'ready' })
  })
  app.get('/metrics', async (_request, response) => {
    metrics.gauge('edge_peers', peerCount())
    metrics.gauge('edge_cached_identities', identityCache.size())
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
  return createServer(app)
}
