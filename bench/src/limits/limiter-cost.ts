import { join } from 'node:path'

/** The parts of the gateway's rate limiter that are measured. */
interface LimitModule {
  enforceRateLimits(limiter: unknown, credential: object, selection: object, service: string, response: object): void
}
interface GossipModule {
  createGossip(options: object): Gossip
}
interface Gossip {
  createLimiter(name: string): unknown
  publishUpdates(): void
}

const root = join(import.meta.dirname, '../../..')
const { enforceRateLimits }: LimitModule = await import(join(root, 'gateway/src/limit/enforce-rate-limits.ts'))
const { createGossip }: GossipModule = await import(join(root, 'packages/rate-limit/src/index.ts'))

const callerCount = 10_000
const requestCount = 100_000
/** Requests between two publications of counts, as at 20,000 requests per second. */
const requestsPerPublication = 1000

const callers = Array.from({ length: callerCount }, (_, index) => ({
  credential: {
    identity: { credential_id: `akey_${index}_5vb4pex5vsknk084sn02q`, limits: { credential_per_minute: 1e9 } },
  },
  selection: {
    grant: { workspace_id: `ws_${index % 100}_5vb4pex5vsknk084sn02q`, limits: { workspace_per_minute: 1e9 } },
  },
}))
type Caller = (typeof callers)[number]

const response = { setHeader: () => undefined }

/** Measures the processor time of the rate limiter for one request, at one gateway alone and at one of three. */
export async function measureLimiterCosts(): Promise<Record<string, string | number>[]> {
  const loopCost = measureCpu(({ credential }) => {
    if (credential.identity.credential_id === '') throw new Error('unreachable')
  })
  const [alone] = createEdges(1)
  const edges = createEdges(3)
  const admit = (edge: Edge | undefined, { credential, selection }: Caller) =>
    enforceRateLimits(edge?.limiter, credential, selection, 'data', response)
  const aloneCost = measureCpu((caller) => admit(alone, caller))
  const sharedCost = measureCpu((caller) => admit(edges[0], caller))
  const gossipCost = measureCpu((caller, index) => {
    admit(edges[0], caller)
    if (index % requestsPerPublication === 0) for (const { gossip } of edges) gossip.publishUpdates()
  })
  const withoutLoop = (cost: number) => Math.max(0, Math.round(cost - loopCost))
  return [
    { limiter: 'one gateway', 'CPU ns per request': withoutLoop(aloneCost) },
    { limiter: 'one of three, request only', 'CPU ns per request': withoutLoop(sharedCost) },
    { limiter: 'one of three, with the gossip of all three', 'CPU ns per request': withoutLoop(gossipCost) },
  ]
}

/** Returns the least processor time of three runs per request, in nanoseconds. */
function measureCpu(work: (caller: Caller, index: number) => void): number {
  const runOnce = () => {
    const startUsage = process.cpuUsage()
    for (let index = 0; index < requestCount; index += 1) {
      const caller = callers[(index * 7919) % callerCount]
      if (caller !== undefined) work(caller, index)
    }
    const { user, system } = process.cpuUsage(startUsage)
    return ((user + system) * 1000) / requestCount
  }
  runOnce() // warms up
  return Math.min(runOnce(), runOnce(), runOnce())
}

interface Edge {
  gossip: Gossip
  limiter: unknown
}

/** Creates edges on a bus that delivers synchronously. */
function createEdges(count: number): Edge[] {
  const listeners: ((data: unknown, subject: string) => void)[] = []
  const bus = {
    isConnected: true,
    publish: (subject: string, data: unknown) => {
      const text = JSON.stringify(data)
      for (const listener of listeners) listener(JSON.parse(text), subject)
    },
    subscribe: (_: string, listener: (data: unknown, subject: string) => void) => {
      listeners.push(listener)
      return { unsubscribe: () => undefined }
    },
    onConnect: (listener: () => void) => {
      listener()
      return () => undefined
    },
  }
  return Array.from({ length: count }, () => {
    const gossip = createGossip({ bus, shard: 'bench', log: { warn: () => undefined }, now: Date.now })
    return { gossip, limiter: gossip.createLimiter('requests') }
  })
}
