import type { ServiceName } from '@wp/contracts'

/** The readiness of every service. */
export interface FleetStatus {
  status: 'ok' | 'degraded'
  services: { name: string; shard: string; status: 'ok' | 'down'; latency_ms: number | null }[]
}

export interface FleetHealth {
  read(): Promise<FleetStatus>
}

/** A service in one cell. */
interface ServiceInstance {
  name: ServiceName
  shard: string
}

interface Options {
  instances: readonly ServiceInstance[]
  /** Returns the base address of a service in a cell. */
  addressOf: (name: ServiceName, shard: string) => string
  /** Milliseconds since 1970. */
  now: () => number
}

/** Time for which a result is reused, so that the open endpoint cannot be used to load the services. */
const cacheMs = 1000
const timeoutMs = 1000

/** Creates the health check of all services. Concurrent reads share one probe of each service. */
export function createFleetHealth({ instances, addressOf, now }: Options): FleetHealth {
  let last: { at: number; status: Promise<FleetStatus> } | undefined

  async function probe({ name, shard }: ServiceInstance) {
    const startedAt = performance.now()
    const isReady = await fetch(`${addressOf(name, shard)}/readyz`, { signal: AbortSignal.timeout(timeoutMs) })
      .then(async (response) => {
        await response.body?.cancel()
        return response.ok
      })
      .catch(() => false)
    return isReady
      ? { name, shard, status: 'ok' as const, latency_ms: Math.round((performance.now() - startedAt) * 10) / 10 }
      : { name, shard, status: 'down' as const, latency_ms: null }
  }

  async function probeAll(): Promise<FleetStatus> {
    const services = await Promise.all(instances.map(probe))
    return { status: services.every((service) => service.status === 'ok') ? 'ok' : 'degraded', services }
  }

  return {
    read() {
      if (last === undefined || now() - last.at >= cacheMs) last = { at: now(), status: probeAll() }
      return last.status
    },
  }
}
