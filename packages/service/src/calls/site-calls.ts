import { isGlobal, type ServiceName } from '@wp/contracts'
import { assertionHeader, type Signer, type Subject } from '../assertions/assertion.ts'
import type { ProcessConfig } from '../config/process-config.ts'

/**
 * Returns the headers by which the edge believes a site that an API request comes from this address: limits by address
 * then count the browser and not the site. Send them to the edge only.
 *
 * @param clientAddress address of the browser, as the edge gave it to the site
 */
export type ClientAddressHeaders = (clientAddress: string) => Promise<Record<string, string>>

interface Options {
  signer: Signer
  shard: string
  location: string
}

/** Creates the function that signs as this process. The edge believes services that serve a site only. */
export function createClientAddressHeaders({ signer, shard, location }: Options): ClientAddressHeaders {
  const id = `svc:${signer.issuer}`
  const subject: Subject = {
    principal: { id, type: 'service' },
    credentialId: id,
    workspaceId: null,
    shard,
    location,
    scopes: [],
  }
  return async (clientAddress) => ({
    [assertionHeader]: await signer.sign(subject, 'gateway'),
    'x-forwarded-for': clientAddress,
  })
}

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
