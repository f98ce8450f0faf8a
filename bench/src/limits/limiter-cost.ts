import { join } from 'node:path'

/** As much of the limiter as is measured. */
interface LimitModule {
  enforceRateLimits(limiter: unknown, credential: object, selection: object, service: string, response: object): void
}
interface GossipModule {
  createGossip(options: object): { createLimiter(name: string): unknown; publishUpdates(): void; peerCount: number }
}

const root = join(import.meta.dirname, '../../..')
const credentials = 10_000
const requests = 100_000
/** Between two exchanges, as of 20,000 requests a second. */
const requestsAStep = 1000

/** Processor time of the limiter for one request, in nanoseconds: an edge alone, and one of three. */
export async function measureLimiterCosts(): Promise<Record<string, string | number>[]> {
  const { enforceRateLimits }: LimitModule = await import(join(root, 'gateway/src/limit/enforce-rate-limits.ts'))
  const { createGossip }: GossipModule = await import(join(root, 'packages/rate-limit/src/gossip/gossip.ts'))
  const callers = Array.from({ length: credentials }, (_, at) => ({
    known: { identity: { credential_id: `akey_${at}_5vb4pex5vsknk084sn02q`, limits: { credential_per_minute: 1e9 } } },
    standing: {
      grant: { workspace_id: `ws_${at % 100}_5vb4pex5vsknk084sn02q`, limits: { workspace_per_minute: 1e9 } },
    },
  }))
  const response = { setHeader: () => undefined }

  function edges(count: number) {
    // what one says the others hear when it is said
    const hearers: ((data: unknown, subject: string) => void)[] = []
    const bus = {
      isConnected: true,
      publish: (subject: string, data: unknown) => {
        const text = JSON.stringify(data)
        for (const hear of hearers) hear(JSON.parse(text), subject)
      },
      subscribe: (_: string, hear: (data: unknown, subject: string) => void) => {
        hearers.push(hear)
        return { unsubscribe: () => undefined }
      },
      onConnect: (listener: () => void) => {
        listener()
        return () => undefined
      },
    }
    const made = Array.from({ length: count }, () => {
      const gossip = createGossip({ bus, shard: 'bench', log: { warn: () => undefined }, now: Date.now })
      return { gossip, limiter: gossip.createLimiter('requests') }
    })
    return made
  }

  function measure(each: (caller: (typeof callers)[number], at: number) => void): number {
    const once = () => {
      const before = process.cpuUsage()
      for (let at = 0; at < requests; at += 1) {
        const caller = callers[(at * 7919) % credentials]
        if (caller !== undefined) each(caller, at)
      }
      const { user, system } = process.cpuUsage(before)
      return ((user + system) * 1000) / requests
    }
    once() // warms
    return Math.min(once(), once(), once())
  }

  const nothing = measure(({ known }) => {
    if (known.identity.credential_id === '') throw new Error('unreachable')
  })
  const [alone] = edges(1)
  const [one, ...others] = edges(3)
  const costAlone = measure(({ known, standing }) =>
    enforceRateLimits(alone?.limiter, known, standing, 'data', response),
  )
  const costShared = measure(({ known, standing }) =>
    enforceRateLimits(one?.limiter, known, standing, 'data', response),
  )
  const costExchange = measure(({ known, standing }, at) => {
    enforceRateLimits(one?.limiter, known, standing, 'data', response)
    if (at % requestsAStep === 0) for (const edge of [one, ...others]) edge?.gossip.publishUpdates()
  })
  const net = (cost: number) => Math.max(0, Math.round(cost - nothing))
  return [
    { limiter: 'an edge alone', 'CPU ns a request': net(costAlone) },
    { limiter: 'one of three, the request itself', 'CPU ns a request': net(costShared) },
    { limiter: 'with what all three edges do to exchange it', 'CPU ns a request': net(costExchange) },
  ]
}
