import { type Bus, connectBus } from '@wp/events'
import { createGossip, type RateLimiter } from '@wp/rate-limit'
import type { Tracing } from '@wp/runtime'
import {
  brokerCredentials,
  createInternalCalls,
  createMetrics,
  createSigner,
  createUpstreams,
  createVerifier,
  type Logger,
  type MetricsRegistry,
  openKeyRing,
  openTracing,
  readSigningKey,
  type Signer,
  tracingOptionsOf,
  type Upstreams,
} from '@wp/service'
import { createDenialRecorder, type DenialRecorder } from './audit/denial-recorder.ts'
import type { Config } from './config.ts'
import { forwardSettings } from './forward/config.ts'
import { createForwarder, type Forwarder } from './forward/forward.ts'
import { createOpenStreams, type OpenStreams } from './forward/sse.ts'
import { createAuthCalls } from './identify/auth-calls.ts'
import { followChangeLog } from './identify/cache/change-log-follower.ts'
import { createIdentityCache, type IdentityCache } from './identify/cache/identity-cache.ts'
import { subscribeToInvalidations } from './identify/cache/invalidations.ts'
import { createResolveBatcher } from './identify/cache/resolve-batcher.ts'
import { createClientAddressOf } from './identify/client-address.ts'
import { createTokenVerifier } from './identify/token/token-verifier.ts'
import { createOpenEndpointLimits, maxOpenEndpointKeys, type OpenEndpointLimits } from './limit/open-endpoint-limits.ts'
import { createRequestRecorder, type RequestRecorder } from './requests/request-recorder.ts'
import { type BusiestWorkspaces, createBusiestWorkspaces } from './usage/busiest-workspaces.ts'
import { type CallRecorder, createCallRecorder } from './usage/call-recorder.ts'

/** Everything the edge creates once. */
export interface Context {
  config: Config
  log: Logger
  metrics: MetricsRegistry
  /** Undefined if tracing is off. */
  tracing: Tracing | undefined
  bus: Bus
  signer: Signer
  /** Returns the address of the client of an API request. */
  clientAddressOf: ReturnType<typeof createClientAddressOf>
  upstreams: Upstreams
  identityCache: IdentityCache
  rateLimiter: RateLimiter
  /** Returns the number of other live edges that share the rate limits. */
  peerCount: () => number
  /** Separate, so that invalid credentials cannot evict the counts of valid ones. */
  invalidCredentialLimiter: RateLimiter
  openEndpointLimits: OpenEndpointLimits
  forward: Forwarder['forward']
  openStreams: OpenStreams
  denialRecorder: DenialRecorder
  callRecorder: CallRecorder
  busiestWorkspaces: BusiestWorkspaces
  requestRecorder: RequestRecorder
  now: () => number
  close(): Promise<void>
}

/** Counts of credentials and workspaces, about 300 bytes each; the least recently used is forgotten. */
const maxRateLimitKeys = 100_000

/**
 * Builds the context. The broker may be unavailable: the edge works without it, with slower revocation. Longer than
 * most functions: it is a list of the parts of the edge, in the order in which they need one another.
 */
export async function createContext(config: Config, log: Logger, ownProcess: boolean): Promise<Context> {
  const now = Date.now
  const metrics = createMetrics('gateway', {
    process: ownProcess,
    exemplars: config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
  })
  const { tracing, close: closeTracing } = await openTracing(
    tracingOptionsOf(config, { service: 'gateway', sampleRatio: config.OTEL_TRACES_SAMPLER_ARG, log, metrics }),
  )
  const [signingKey, keys] = await Promise.all([
    readSigningKey(config.ASSERTION_KEY_FILE, 'gateway'),
    openKeyRing(config.ASSERTION_KEYS_FILE),
  ])
  const signer = createSigner(signingKey)
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
  // whole milliseconds: V8 stores small integers in less memory
  const uptime = () => Math.floor(performance.now())
  const openStreams = createOpenStreams()
  const invalidations = subscribeToInvalidations(bus, log, openStreams.endDependents)
  const { fetchKeys, resolveMany, readChanges } = createAuthCalls(internal, config)
  const changeLog = followChangeLog({ bus, readChanges, invalidations, uptime, log, metrics })
  const identityCache = createIdentityCache({
    tokens: createTokenVerifier({ base: config.PUBLIC_BASE_URL, fetchKeys, now }),
    resolve: createResolveBatcher({ resolveMany }),
    invalidations,
    cacheMs: config.IDENTITY_CACHE_SECONDS * 1000,
    provenCacheMs: config.IDENTITY_PROVEN_CACHE_SECONDS * 1000,
    provenUntil: changeLog.provenUntil,
    staleMs: config.IDENTITY_STALE_SECONDS * 1000,
    maxEntries: config.IDENTITY_CACHE_ENTRIES,
    now,
    uptime,
  })
  const gossip = createGossip({ bus, shard: config.SHARD, log, now, intervalMs: config.LIMIT_EXCHANGE_MS })
  const rateLimiter = gossip.createLimiter('requests', maxRateLimitKeys)
  const invalidCredentialLimiter = gossip.createLimiter('guesses', 100_000)
  const openLimiter = gossip.createLimiter('open', maxOpenEndpointKeys)
  await Promise.all([gossip.join(), changeLog.start()])
  const forwarder = createForwarder({ ...forwardSettings(config), openStreams, metrics, now })
  const denialRecorder = createDenialRecorder({ bus, cells, log, metrics, now })
  const callRecorder = createCallRecorder({ bus, cells, log, metrics, now })
  const busiestWorkspaces = createBusiestWorkspaces(metrics)
  const requestRecorder = createRequestRecorder({ internal, log, metrics })
  async function close() {
    busiestWorkspaces.close()
    changeLog.close()
    gossip.close()
    await Promise.all([denialRecorder.close(), callRecorder.close(), requestRecorder.close()])
    await Promise.all([
      forwarder.close(),
      internal.close(),
      closeTracing(),
      ...[bus, ...cells].map((each) => each.close()),
    ])
  }
  return {
    config,
    log,
    metrics,
    tracing,
    bus,
    signer,
    clientAddressOf: createClientAddressOf(config.TRUSTED_PROXIES, createVerifier('gateway', keys)),
    upstreams,
    identityCache,
    rateLimiter,
    invalidCredentialLimiter,
    openEndpointLimits: createOpenEndpointLimits(openLimiter, config),
    peerCount: () => gossip.peerCount,
    forward: forwarder.forward,
    openStreams,
    denialRecorder,
    callRecorder,
    busiestWorkspaces,
    requestRecorder,
    now,
    close,
  }
}
