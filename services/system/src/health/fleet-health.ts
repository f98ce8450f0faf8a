import type { ServiceName } from '@wp/contracts'

/** How each service is. */
export interface FleetStatus {
  status: 'ok' | 'degraded'
  services: { name: string; shard: string; status: 'ok' | 'down'; latency_ms: number | null }[]
}

export interface FleetHealth {
  read(): Promise<FleetStatus>
}

/** A service, or what of it is in one cell. */
interface ServiceInstance {
  name: ServiceName
  shard: string
}

interface Options {
  instances: readonly ServiceInstance[]
  /** Base address of a service in a cell. */
  addressOf: (name: ServiceName, shard: string) => string
  now: () => number
}

/** An answer is good this long, so that the open route cannot be used to load the fleet. */
const cacheMs = 1000
const timeoutMs = 1000

/** Asks every service whether it is ready; one question at a time, however many ask. */
export function createFleetHealth({ instances: members, addressOf, now }: Options): FleetHealth {
  let last: { at: number; state: Promise<FleetStatus> } | undefined

  async function probe({ name, shard }: ServiceInstance) {
    const started = performance.now()
    const ready = await fetch(`${addressOf(name, shard)}/readyz`, { signal: AbortSignal.timeout(timeoutMs) })
      .then(async (response) => {
        await response.body?.cancel()
        return response.ok
      })
      .catch(() => false)
    return ready
      ? { name, shard, status: 'ok' as const, latency_ms: Math.round((performance.now() - started) * 10) / 10 }
      : { name, shard, status: 'down' as const, latency_ms: null }
  }

  async function probeAll(): Promise<FleetStatus> {
    const services = await Promise.all(members.map(probe))
    return { status: services.every((service) => service.status === 'ok') ? 'ok' : 'degraded', services }
  }

  return {
    read() {
      if (last === undefined || now() - last.at >= cacheMs) last = { at: now(), state: probeAll() }
      return last.state
    },
  }
}
