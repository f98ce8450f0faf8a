import { connectDatabase, type Database } from '@wp/database'
import type { Metrics } from '@wp/runtime'
import {
  createSealer,
  createSigner,
  databaseSettings,
  type Logger,
  readSigningKey,
  type Sealer,
  type ServiceRuntime,
} from '@wp/service'
import { PrismaClient } from '#db'
import type { Config } from './config.ts'
import { type BrowserHeaders, createBrowserHeaders } from './platform/browser-headers.ts'
import { createPlatform, type Platform } from './platform/platform.ts'
import { createInFlightLimit, type InFlightLimit } from './proxy/in-flight-limit.ts'
import { createProxyTransport, type ProxyTransport } from './proxy/transport.ts'
import { type ConsoleCookies, createCookies } from './session/cookies.ts'
import { createTokenSource, type TokenSource } from './session/token-source.ts'

/** The dependencies of the service, created once per process. */
export interface Context {
  config: Config
  database: Database<PrismaClient>
  sealer: Sealer
  cookies: ConsoleCookies
  platform: Platform
  browserHeaders: BrowserHeaders
  tokens: TokenSource
  proxyTransport: ProxyTransport
  inFlight: InFlightLimit
  log: Logger
  metrics: Metrics
  /** Milliseconds since 1970. */
  now: () => number
}

export async function createContext(config: Config, { log, metrics, now }: ServiceRuntime): Promise<Context> {
  const signer = createSigner(await readSigningKey(config.ASSERTION_KEY_FILE, 'console'))
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: (adapter) => new PrismaClient({ adapter }),
    log,
  })
  const edgeUrl = config.EDGE_URL ?? config.PUBLIC_BASE_URL
  const sealer = createSealer(config.KEK, config.KEK_PREVIOUS)
  const platform = createPlatform({ edgeUrl, now })
  return {
    config,
    database,
    sealer,
    cookies: createCookies(config.PUBLIC_BASE_URL),
    platform,
    browserHeaders: createBrowserHeaders(signer, { shard: config.SHARD, location: config.LOCATION }),
    tokens: createTokenSource({ config, database, sealer, platform, now }),
    proxyTransport: createProxyTransport(edgeUrl),
    inFlight: createInFlightLimit(),
    log,
    metrics,
    now,
  }
}
