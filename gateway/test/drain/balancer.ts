import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

interface Target {
  baseUrl: string
  adminUrl: string
}

/** Spreads connections over edges that say they are ready, as TCP balancers do: it knows nothing of HTTP. */
export interface Balancer {
  url: string
  /** Which target the connection with this local port of its client went to. */
  targetOf(clientPort: number | undefined): Target | undefined
  /** Whether it has seen the target ready. */
  isReady(target: Target): boolean
  /** What went wrong towards a target. A connection that fails is not tried elsewhere. */
  failures: string[]
  stop(): Promise<void>
}

/** How often readiness is asked, in milliseconds. */
const everyMs = 50

export async function startBalancer(targets: readonly Target[]): Promise<Balancer> {
  const ready = new Set<Target>()
  const chosen = new Map<number | undefined, Target>()
  const failures: string[] = []
  const sockets = new Set<Socket>()
  let next = 0

  async function ask(target: Target): Promise<void> {
    const isReady = await fetch(`${target.adminUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) ready.add(target)
    else ready.delete(target)
  }
  const asking = setInterval(() => void Promise.all(targets.map(ask)), everyMs)
  await Promise.all(targets.map(ask))

  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    const candidates = targets.filter((target) => ready.has(target))
    next += 1
    const target = candidates[next % candidates.length]
    if (target === undefined) {
      failures.push('nobody is ready')
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
      clearInterval(asking)
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
