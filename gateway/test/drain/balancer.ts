import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

interface Target {
  baseUrl: string
  adminUrl: string
}

/** A TCP load balancer that spreads connections over the ready edges. */
export interface Balancer {
  url: string
  /** Returns the target of the connection with a local port of its client. */
  targetOf(clientPort: number | undefined): Target | undefined
  /** Returns true if the target was ready at the last check. */
  isReady(target: Target): boolean
  /** Errors of connections to targets. A failed connection is not retried. */
  failures: string[]
  stop(): Promise<void>
}

/** Interval of readiness checks. */
const checkEveryMs = 50

export async function startBalancer(targets: readonly Target[]): Promise<Balancer> {
  const ready = new Set<Target>()
  const chosen = new Map<number | undefined, Target>()
  const failures: string[] = []
  const sockets = new Set<Socket>()
  let next = 0

  async function checkReadiness(target: Target): Promise<void> {
    const isReady = await fetch(`${target.adminUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) ready.add(target)
    else ready.delete(target)
  }
  const checkTimer = setInterval(() => void Promise.all(targets.map(checkReadiness)), checkEveryMs)
  await Promise.all(targets.map(checkReadiness))

  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    const candidates = targets.filter((target) => ready.has(target))
    next += 1
    const target = candidates[next % candidates.length]
    if (target === undefined) {
      failures.push('no target is ready')
      return void client.resetAndDestroy()
    }
    chosen.set(client.remotePort, target)
    const { hostname, port } = new URL(target.baseUrl)
    const edge = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    for (const [from, to] of [
      [client, edge],
      [edge, client],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('close', () => sockets.delete(from))
      from.on('error', (error) => {
        if (from === edge) failures.push(error.message)
        to.resetAndDestroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`,
    targetOf: (clientPort) => chosen.get(clientPort),
    isReady: (target) => ready.has(target),
    failures,
    async stop() {
      clearInterval(checkTimer)
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
