import {
  auth,
  authInternal,
  type Caller,
  Invalidation,
  invalidationSubject,
  type Presented,
  type Resolution,
} from '@wp/contracts'
import { type Bus, connectBus } from '@wp/events'
import {
  brokerLogin,
  createInternalCalls,
  createMetrics,
  createSigner,
  createUpstreams,
  type InternalCalls,
  type Logger,
  type Metrics,
  readSigningKey,
  type Signer,
  type Upstreams,
} from '@wp/service'
import { createDenials, type Denials } from './audit/denials.ts'
import type { Config } from './config.ts'
import { forwardSettings } from './forward/config.ts'
import { createForward, type Forward } from './forward/forward.ts'
import { createOpenStreams, type OpenStreams } from './forward/sse.ts'
import { createTokenVerifier } from './identify/access-token.ts'
import { createIdentities, type Identities } from './identify/identities.ts'
import { createInvalidations } from './identify/invalidations.ts'
import { createResolving } from './identify/resolving.ts'
import { createExchange } from './limit/exchange.ts'
import type { Windows } from './limit/windows.ts'

/** What the edge needs once. */
export interface Context {
  config: Config
  log: Logger
  metrics: Metrics
  bus: Bus
  signer: Signer
  upstreams: Upstreams
  identities: Identities
  windows: Windows
  /** Other edges that keep the same limits and live. */
  peers: () => number
  /** Counted apart, so that whoever has no credential cannot push out the counts of those who have. */
  guesses: Windows
  forward: Forward['forward']
  openStreams: OpenStreams
  denials: Denials
  now: () => number
  close(): Promise<void>
}

/** Builds it; the broker may be away, it only accelerates. */
export async function createContext(config: Config, log: Logger, ownProcess: boolean): Promise<Context> {
  const now = Date.now
  const metrics = createMetrics('gateway', { process: ownProcess })
  const signer = createSigner(await readSigningKey(config.ASSERTION_KEY_FILE, 'gateway'))
  const upstreams = createUpstreams(config)
  const internal = createInternalCalls({
    signer,
    upstreams,
    shard: config.SHARD,
    location: config.LOCATION,
    timeoutMs: 5000,
  })
  const join = (broker: { servers: string; shard: string }) =>
    connectBus({ ...broker, ...brokerLogin(config), name: 'gateway', log })
  const own = { servers: config.NATS_URL, shard: config.SHARD }
  const [bus, cells] = await Promise.all([join(own), Promise.all(config.CELLS.map(join))])
  const identities = createIdentities({
    tokens: createTokenVerifier({ base: config.PUBLIC_BASE_URL, fetchKeys: () => fetchKeys(internal, config), now }),
    resolve: createResolving({ resolveMany: (items) => resolveMany(internal, items) }),
    invalidations: heard(bus, log),
    cacheMs: config.IDENTITY_CACHE_SECONDS * 1000,
    staleMs: config.IDENTITY_STALE_SECONDS * 1000,
    entries: config.IDENTITY_CACHE_ENTRIES,
    now,
  })
  const exchange = createExchange({ bus, shard: config.SHARD, log, now, intervalMs: config.LIMIT_EXCHANGE_MS })
  const limits = { windows: exchange.windows('requests'), guesses: exchange.windows('guesses', 100_000) }
  await exchange.join()
  const openStreams = createOpenStreams()
  const forwarding = createForward({ ...forwardSettings(config), openStreams, metrics, now })
  const denials = createDenials({ bus, cells, log, metrics, now })
  async function close() {
    exchange.close()
    await denials.close()
    await Promise.all([forwarding.close(), internal.close(), ...[bus, ...cells].map((each) => each.close())])
  }
  return {
    config,
    log,
    metrics,
    bus,
    signer,
    upstreams,
    identities,
    ...limits,
    peers: () => exchange.others,
    forward: forwarding.forward,
    openStreams,
    denials,
    now,
    close,
  }
}

async function resolveMany(internal: InternalCalls, items: Presented[]): Promise<Resolution[]> {
  const input = { params: {}, query: {}, body: { items } }
  return (await internal.callAsSystem(authInternal.resolveMany, { workspaceId: null }, input)).resolutions
}

function heard(bus: Bus, log: Logger) {
  const invalidations = createInvalidations()
  bus.subscribe(invalidationSubject, (data) => {
    const parsed = Invalidation.safeParse(data)
    if (parsed.success) invalidations.add(parsed.data)
    else log.warn({ data }, 'an invalidation could not be read; everything is forgotten')
    if (!parsed.success) invalidations.flush()
  })
  bus.onReconnect(() => invalidations.flush())
  return invalidations
}

/** Nobody in particular asks for public keys. */
export const anonymous = (config: Config): Omit<Caller, 'requestId' | 'traceparent'> => ({
  principal: { id: 'anonymous', type: 'anonymous' },
  credentialId: 'anonymous',
  workspaceId: null,
  shard: config.SHARD,
  location: config.LOCATION,
  scopes: [],
})

async function fetchKeys(internal: InternalCalls, config: Config) {
  const { keys } = await internal.call(
    auth.keySet,
    { ...anonymous(config), requestId: 'edge-keys' },
    { params: {}, query: {}, body: undefined },
  )
  return { keys }
}
