import type { ServerResponse } from 'node:http'
import type { EndpointDefinition } from '@wp/contracts'
import type { Policy, RateLimiter } from '@wp/rate-limit'
import { networkPrefix } from '@wp/service'
import type { Config } from '../config.ts'
import { reportOrReject } from './enforce-rate-limits.ts'

/** Limits requests without credentials by client network: an IPv4 address or an IPv6 /64. */
export interface OpenEndpointLimits {
  /**
   * Counts a request to an endpoint that needs no credential, and its failure when the response is complete.
   *
   * @throws Problem 429 with `Retry-After`
   */
  admit(definition: EndpointDefinition, clientAddress: string, response: ServerResponse): void
  /** Counts a request for public metadata or documentation. @throws Problem 429 with `Retry-After` */
  admitMetadata(clientAddress: string, response: ServerResponse): void
  /** Counts a request of a site. @throws Problem 429 with `Retry-After` */
  admitSite(clientAddress: string, response: ServerResponse): void
}

type Quotas = Pick<
  Config,
  'OPEN_REQUESTS_PER_MINUTE' | 'OPEN_FAILURES_PER_MINUTE' | 'METADATA_REQUESTS_PER_MINUTE' | 'SITE_REQUESTS_PER_MINUTE'
>

/** Maximum number of keys; a client network has one for its requests and one for each endpoint that it used. */
export const maxOpenEndpointKeys = 100_000

/**
 * @param limiter of its own, so that strangers from many networks cannot evict the counts of credentials. Evicted keys
 *   start with a full quota.
 */
export function createOpenEndpointLimits(limiter: RateLimiter, quotas: Quotas): OpenEndpointLimits {
  const requestPolicy = (network: string): Policy => ({
    name: 'network',
    key: `open:${network}`,
    quota: quotas.OPEN_REQUESTS_PER_MINUTE,
  })
  const failurePolicy = (network: string, { id }: EndpointDefinition): Policy => ({
    name: 'network-failures',
    key: `${id}:${network}`,
    quota: quotas.OPEN_FAILURES_PER_MINUTE,
  })

  function admitNetwork(name: string, quota: number, clientAddress: string, response: ServerResponse): void {
    reportOrReject(limiter.take([{ name, key: `${name}:${networkPrefix(clientAddress)}`, quota }]), response)
  }

  const admitMetadata: OpenEndpointLimits['admitMetadata'] = (clientAddress, response) =>
    admitNetwork('metadata', quotas.METADATA_REQUESTS_PER_MINUTE, clientAddress, response)

  return {
    admitMetadata,
    admitSite: (clientAddress, response) =>
      admitNetwork('site', quotas.SITE_REQUESTS_PER_MINUTE, clientAddress, response),
    admit(definition, clientAddress, response) {
      if (definition.limitClass === 'metadata') return admitMetadata(clientAddress, response)
      const network = networkPrefix(clientAddress)
      const failures = failurePolicy(network, definition)
      const failureStatuses = limiter.check([failures])
      const isBlocked = failureStatuses.some(({ isExceeded }) => isExceeded)
      const requests = [requestPolicy(network)]
      const requestStatuses = isBlocked ? limiter.check(requests) : limiter.take(requests)
      reportOrReject([...requestStatuses, ...failureStatuses], response)
      response.once('close', () => {
        if (isFailure(response.statusCode)) limiter.take([failures])
      })
    },
  }
}

/** Excludes 429: the service has counted that request against a limit of its own. */
const isFailure = (status: number): boolean => status >= 400 && status < 500 && status !== 429
