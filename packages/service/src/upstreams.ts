import { type ServiceName, services } from '@wp/contracts'
import type { ProcessConfig } from './config.ts'

/** Where the services are: `UPSTREAM` with `{service}` and `{shard}` filled in, or the address given for one service. */
export interface Upstreams {
  /** @param shard of the workspace; a global service is at home whatever it is */
  of(service: ServiceName, shard: string): string
}

/** Reads the addresses from a configuration, whose own shard is the home of global services. */
export const createUpstreams = (
  config: Pick<ProcessConfig, 'SHARD' | 'UPSTREAM' | 'UPSTREAM_OVERRIDES'>,
): Upstreams => ({
  of(service, shard) {
    const { SHARD: home, UPSTREAM: template, UPSTREAM_OVERRIDES: given } = config
    const cell = services[service].global ? home : shard
    return (given[`${service}.${cell}`] ?? given[service] ?? template)
      .replaceAll('{service}', service)
      .replaceAll('{shard}', cell)
      .replace(/\/+$/, '')
  },
})
