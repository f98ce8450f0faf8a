import { isGlobal, type ServiceName } from '@wp/contracts'
import type { ProcessConfig } from '../config/process-config.ts'

/** Addresses of the services: `UPSTREAM` with `{service}` and `{shard}` filled in, or the override of one service. */
export interface Upstreams {
  /** @param shard of the workspace; ignored for a global service, which runs in the home cell */
  addressOf(service: ServiceName, shard: string): string
}

/** Creates the addresses from a configuration. */
export const createUpstreams = (
  config: Pick<ProcessConfig, 'SHARD' | 'HOME_SHARD' | 'UPSTREAM' | 'UPSTREAM_OVERRIDES'>,
): Upstreams => ({
  addressOf(service, shard) {
    const { UPSTREAM: template, UPSTREAM_OVERRIDES: overrides } = config
    const cell = isGlobal(service) ? (config.HOME_SHARD ?? config.SHARD) : shard
    return (overrides[`${service}.${cell}`] ?? overrides[service] ?? template)
      .replaceAll('{service}', service)
      .replaceAll('{shard}', cell)
      .replace(/\/+$/, '')
  },
})
