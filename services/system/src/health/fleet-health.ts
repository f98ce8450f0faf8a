import type { ServiceName } from '@wp/contracts'

/** How each service is. */
export interface FleetState {
  status: 'ok' | 'degraded'
  services: { name: string; shard: string; status: 'ok' | 'down'; latency_ms: number | null }[]
}

export interface FleetHealth {
  read(): Promise<FleetState>
}

/** A service, or what of it is in one cell. */
interface Member {
  name: ServiceName
  shard: string
}

interface Options {
  members: readonly Member[]
  /** Base address of a service in a cell. */
  addressOf: (name: ServiceName, shard: string) => string
  now: () => number
}

/** An answer is good this long, so that the open route cannot be used to load the fleet. */
const freshMs = 1000
const timeoutMs = 1000

/** Asks every service whether it is ready; one question at a time, however many ask. */
export function createFleetHealth({ members, addressOf, now }: Options): FleetHealth {
  let last: { at: number; state: Promise<FleetState> } | undefined

  async function ask({ name, shard }: Member) {
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

  async function askAll(): Promise<FleetState> {
    const services = await Promise.all(members.map(ask))
    return { status: services.every((service) => service.status === 'ok') ? 'ok' : 'degraded', services }
  }

  return {
    read() {
      if (last === undefined || now() - last.at >= freshMs) last = { at: now(), state: askAll() }
      return last.state
    },
  }
}
