import { type ServiceName, services } from '@wp/contracts'
import type { ProcessConfig } from '../config/config.ts'

/** Where the services are: `UPSTREAM` with `{service}` and `{shard}` filled in, or the address given for one service. */
export interface Upstreams {
  /** @param shard of the workspace; a global service is in the cell of all global ones whatever it is */
  addressOf(service: ServiceName, shard: string): string
}

/** Reads the addresses from a configuration. */
export const createUpstreams = (
  config: Pick<ProcessConfig, 'SHARD' | 'HOME_SHARD' | 'UPSTREAM' | 'UPSTREAM_OVERRIDES'>,
): Upstreams => ({
  addressOf(service, shard) {
    const { UPSTREAM: template, UPSTREAM_OVERRIDES: given } = config
    const cell = services[service].isGlobal ? (config.HOME_SHARD ?? config.SHARD) : shard
    return (given[`${service}.${cell}`] ?? given[service] ?? template)
      .replaceAll('{service}', service)
      .replaceAll('{shard}', cell)
      .replace(/\/+$/, '')
  },
})
