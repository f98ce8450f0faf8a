import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import {
  closeServer,
  createInFlightRequests,
  createLogger,
  drainOptionsOf,
  drainServer,
  type Logger,
  listenOn,
  type RunningService,
  readConfig,
} from '@wp/service'
import express from 'express'
import { config as schema } from './config.ts'
import { type Context, createContext } from './context.ts'
import { readSiteFiles } from './docs/site-files.ts'
import { createEdgeServer, type Routes } from './edge-server.ts'

/** Written by `npm run docs:build`. */
const siteFolder = join(import.meta.dirname, '../docs-site/dist')

interface StartOptions {
  ownProcess?: boolean
  log?: Logger
  /** Additional handlers by path, for the local fleet. They cannot be configured through the environment. */
  routes?: Routes
}

/**
 * Starts the edge.
 *
 * @throws ConfigError that names every invalid variable; an error that names the port if it is in use
 */
export async function startGateway(
  env: Readonly<Record<string, string | undefined>>,
  options: StartOptions = {},
): Promise<RunningService> {
  const config = readConfig(schema, env)
  const log = options.log ?? createLogger('gateway', config.LOG_LEVEL)
  const [context, site] = await Promise.all([
    createContext(config, log, options.ownProcess ?? false),
    readSiteFiles(siteFolder),
  ])
  let isDraining = false
  const inFlight = createInFlightRequests()
  const edge = createEdgeServer(context, inFlight, new Map(Object.entries(options.routes ?? {})), site)
  const admin = createAdminServer(context, () => isDraining)
  const edgeListens = listenOn(edge, config.HOST, config.PORT, { reusePort: config.REUSE_PORT })
  const [port] = await Promise.all([edgeListens, listenOn(admin, config.HOST, config.ADMIN_PORT)]).catch(
    async (error: unknown) => {
      await Promise.all([context.close(), closeServer(edge), closeServer(admin)])
      throw error
    },
  )
  log.info({ event: 'service.started', port }, 'service started')
  return {
    name: 'gateway',
    url: `http://${config.HOST}:${port}`,
    async stop() {
      isDraining = true
      await drainServer(edge, inFlight, { ...drainOptionsOf(config), onDrained: () => context.openStreams.end() })
      await Promise.all([closeServer(admin), context.close()])
      log.info({ event: 'service.stopped' }, 'service stopped')
    },
  }
}

/** Creates the server of health, readiness and metrics, which is not public. */
function createAdminServer(
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
