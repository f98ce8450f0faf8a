import { join } from 'node:path'
import { connectDatabase, type Database } from '@wp/database'
import { allShards, createSealer, databaseSettings, type Sealer, type ServiceRuntime } from '@wp/service'
import { createEarlierAssets, type EarlierAssets } from './assets/earlier-assets.ts'
import { readWebBuild, type WebBuild } from './assets/web-build.ts'
import type { Config } from './config.ts'
import { nameProduct } from './page/name-product.ts'
import { createPlatform, type Platform } from './platform/platform.ts'
import { type BrowserHeaders, createBrowserHeaders } from './platform/translate-error.ts'
import { createPortalPages, type PortalPages } from './portal/portal-pages.ts'
import { createInFlightLimit, type InFlightLimit } from './proxy/in-flight-limit.ts'
import { createProxyTransport, type ProxyTransport } from './proxy/transport.ts'
import { type ConsoleCookies, createCookies } from './session/cookies.ts'
import { createTokenSource, type TokenSource } from './session/token-source.ts'
import { findAsset } from './store/assets.ts'
import { type Client, createClient } from './store/client.ts'

/** The dependencies of the service, created once per process. */
export interface Context extends Pick<ServiceRuntime, 'log' | 'metrics' | 'now'> {
  config: Config
  database: Database<Client>
  sealer: Sealer
  cookies: ConsoleCookies
  platform: Platform
  browserHeaders: BrowserHeaders
  tokens: TokenSource
  proxyTransport: ProxyTransport
  inFlight: InFlightLimit
  portalPages: PortalPages
  /** Undefined if the app was not built. */
  build: WebBuild | undefined
  earlierAssets: EarlierAssets
}

/** The folder into which `npm run console:build` writes the app. */
const buildFolder = join(import.meta.dirname, '../web/dist')

export async function createContext(
  config: Config,
  { log, metrics, internal, clientAddressHeaders, tracing, now }: ServiceRuntime,
): Promise<Context> {
  const database = connectDatabase({ ...databaseSettings(config), prisma: createClient, log, tracing })
  const build = await readWebBuild(buildFolder)
  if (build === undefined)
    log.warn({ event: 'console.not_built' }, 'the app was not built: run `npm run console:build`')
  const edgeUrl = config.EDGE_URL ?? config.PUBLIC_BASE_URL
  const sealer = createSealer(config.KEK, config.KEK_PREVIOUS)
  const platform = createPlatform({ edgeUrl, now })
  return {
    log,
    metrics,
    now,
    config,
    database,
    sealer,
    cookies: createCookies(config.PUBLIC_BASE_URL),
    platform,
    browserHeaders: createBrowserHeaders(clientAddressHeaders),
    tokens: createTokenSource({ config, database, sealer, platform, now }),
    proxyTransport: createProxyTransport(edgeUrl),
    inFlight: createInFlightLimit(),
    portalPages: createPortalPages(internal, allShards(config)),
    build: build && nameProduct(build, config.PRODUCT_NAME),
    earlierAssets: createEarlierAssets({
      read: (name) =>
        database.read({ workspaceId: null, principal: { id: 'anonymous' } }, (_db, query) => findAsset(query, name)),
    }),
  }
}
