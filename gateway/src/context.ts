import {
  auth,
  authInternal,
  type Caller,
  Invalidation,
  invalidationSubject,
  type PresentedCredential,
  type Resolution,
} from '@wp/contracts'
import { type Bus, connectBus } from '@wp/events'
import { createGossip, type RateLimiter } from '@wp/rate-limit'
import {
  brokerCredentials,
  createInternalCalls,
  createMetrics,
  createSigner,
  createUpstreams,
  type InternalCalls,
  type Logger,
  type MetricsRegistry,
  readSigningKey,
  type Signer,
  type Upstreams,
} from '@wp/service'
import { createDenialRecorder, type DenialRecorder } from './audit/denial-recorder.ts'
import type { Config } from './config.ts'
import { forwardSettings } from './forward/config.ts'
import { createForwarder, type Forwarder } from './forward/forward.ts'
import { createOpenStreams, type OpenStreams } from './forward/sse.ts'
import { createTokenVerifier } from './identify/access-token.ts'
import { createIdentityCache, type IdentityCache } from './identify/identity-cache.ts'
import { createInvalidations } from './identify/invalidations.ts'
import { createResolveBatcher } from './identify/resolve-batcher.ts'

/** What the edge needs once. */
export interface Context {
  config: Config
  log: Logger
  metrics: MetricsRegistry
  bus: Bus
  signer: Signer
  upstreams: Upstreams
  identityCache: IdentityCache
  rateLimiter: RateLimiter
  /** Other edges that keep the same limits and live. */
  peerCount: () => number
  /** Counted apart, so that whoever has no credential cannot push out the counts of those who have. */
  invalidCredentialLimiter: RateLimiter
  forward: Forwarder['forward']
  openStreams: OpenStreams
  denialRecorder: DenialRecorder
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
  const connect = (broker: { servers: string; shard: string }) =>
    connectBus({ ...broker, ...brokerCredentials(config), name: 'gateway', log })
  const own = { servers: config.NATS_URL, shard: config.SHARD }
  const [bus, cells] = await Promise.all([connect(own), Promise.all(config.CELLS.map(connect))])
  const identityCache = createIdentityCache({
    tokens: createTokenVerifier({ base: config.PUBLIC_BASE_URL, fetchKeys: () => fetchKeys(internal, config), now }),
    resolve: createResolveBatcher({ resolveMany: (items) => resolveMany(internal, items) }),
    invalidations: subscribeToInvalidations(bus, log),
    cacheMs: config.IDENTITY_CACHE_SECONDS * 1000,
    staleMs: config.IDENTITY_STALE_SECONDS * 1000,
    entries: config.IDENTITY_CACHE_ENTRIES,
    now,
  })
  const gossip = createGossip({ bus, shard: config.SHARD, log, now, intervalMs: config.LIMIT_EXCHANGE_MS })
  const rateLimiter = gossip.createLimiter('requests')
  const invalidCredentialLimiter = gossip.createLimiter('guesses', 100_000)
  await gossip.join()
  const openStreams = createOpenStreams()
  const forwarder = createForwarder({ ...forwardSettings(config), openStreams, metrics, now })
  const denialRecorder = createDenialRecorder({ bus, cells, log, metrics, now })
  async function close() {
    gossip.close()
    await denialRecorder.close()
    await Promise.all([forwarder.close(), internal.close(), ...[bus, ...cells].map((each) => each.close())])
  }
  return {
    config,
    log,
    metrics,
    bus,
    signer,
    upstreams,
    identityCache,
    rateLimiter,
    invalidCredentialLimiter,
    peerCount: () => gossip.peerCount,
    forward: forwarder.forward,
    openStreams,
    denialRecorder,
    now,
    close,
  }
}

async function resolveMany(internal: InternalCalls, items: PresentedCredential[]): Promise<Resolution[]> {
  const input = { params: {}, query: {}, body: { items } }
  return (await internal.callAsSystem(authInternal.resolveMany, { workspaceId: null }, input)).resolutions
}

function subscribeToInvalidations(bus: Bus, log: Logger) {
  const invalidations = createInvalidations()
  bus.subscribe(invalidationSubject, (data) => {
    const parsed = Invalidation.safeParse(data)
    if (parsed.success) invalidations.add(parsed.data)
    else log.warn({ data }, 'an invalidation could not be read; everything is forgotten')
    if (!parsed.success) invalidations.flush()
  })
  bus.onConnect(() => invalidations.flush())
  return invalidations
}

/** Nobody in particular asks for public keys. */
export const anonymousSubject = (config: Config): Omit<Caller, 'requestId' | 'traceparent'> => ({
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
    { ...anonymousSubject(config), requestId: 'edge-keys' },
    { params: {}, query: {}, body: undefined },
  )
  return { keys }
}
