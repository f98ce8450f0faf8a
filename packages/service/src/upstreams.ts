import type { ServiceName } from '@wp/contracts'
import type { ProcessConfig } from './config.ts'

/** Where the services are: `UPSTREAM` with `{service}` and `{shard}` filled in, or the address given for one service. */
export interface Upstreams {
  of(service: ServiceName, shard: string): string
}

/** Reads the addresses from a configuration. */
export const createUpstreams = (config: Pick<ProcessConfig, 'UPSTREAM' | 'UPSTREAM_OVERRIDES'>): Upstreams => ({
  of: (service, shard) =>
    (config.UPSTREAM_OVERRIDES[`${service}.${shard}`] ?? config.UPSTREAM_OVERRIDES[service] ?? config.UPSTREAM)
      .replaceAll('{service}', service)
      .replaceAll('{shard}', shard)
      .replace(/\/+$/, ''),
})
