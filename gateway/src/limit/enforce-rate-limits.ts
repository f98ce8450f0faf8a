import type { ServerResponse } from 'node:http'
import { type Grant, type Problem, problem, type ServiceName } from '@wp/contracts'
import { type Policy, type PolicyStatus, type RateLimiter, windowSeconds } from '@wp/rate-limit'
import { networkPrefix } from '@wp/service'
import type { ResolvedCredential } from '../identify/resolved-credential.ts'
import type { WorkspaceSelection } from '../identify/workspace/workspace-selector.ts'

/**
 * Counts a request against the policies of its credential and its workspace, and sets the rate-limit headers
 * (draft-ietf-httpapi-ratelimit-headers).
 *
 * @throws Problem 429 with `Retry-After`
 */
export function enforceRateLimits(
  limiter: RateLimiter,
  { identity }: ResolvedCredential,
  { grant }: WorkspaceSelection,
  service: ServiceName,
  response: ServerResponse,
): void {
  const credential = { name: 'credential', key: identity.credential_id, quota: identity.limits.credential_per_minute }
  const policies = grant === undefined ? [credential] : [credential, workspacePolicy(grant, service)]
  reportOrReject(limiter.take(policies), response)
}

/** Requests per minute from one network with credentials that never existed. Valid credentials do not count. */
const invalidCredentialsPerMinute = 100

/**
 * Counts a credential that never existed against the network it came from.
 *
 * @throws Problem 429 with `Retry-After`
 */
export function limitInvalidCredentials(limiter: RateLimiter, address: string, response: ServerResponse): void {
  const policy = { name: 'address', key: networkPrefix(address), quota: invalidCredentialsPerMinute }
  reportOrReject(limiter.take([policy]), response)
}

/**
 * Sets the rate-limit headers.
 *
 * @throws Problem 429 with `Retry-After` if a policy is exceeded
 */
export function reportOrReject(statuses: readonly PolicyStatus[], response: ServerResponse): void {
  let policyHeader = ''
  let usageHeader = ''
  let isRejected = false
  for (const { name, quota, remaining, resetSeconds, isExceeded } of statuses) {
    const comma = policyHeader === '' ? '' : ', '
    policyHeader += `${comma}"${name}";q=${quota};w=${windowSeconds}`
    usageHeader += `${comma}"${name}";r=${remaining};t=${resetSeconds}`
    isRejected ||= isExceeded
  }
  response.setHeader('ratelimit-policy', policyHeader)
  response.setHeader('ratelimit', usageHeader)
  if (isRejected) throw rateLimitedProblem(statuses.filter((status) => status.isExceeded))
}

const workspacePolicy = ({ workspace_id: workspaceId, limits }: Grant, service: ServiceName): Policy => ({
  name: 'workspace',
  key: `${workspaceId}:${service}`,
  quota: limits.workspace_per_minute,
})

/** Asks the client to wait until the last of the exceeded policies can admit a request again. */
function rateLimitedProblem(exceeded: readonly PolicyStatus[]): Problem {
  const seconds = Math.max(...exceeded.map(({ retrySeconds }) => retrySeconds))
  const names = exceeded.map(({ name }) => name).join(' and ')
  return problem('rate_limited', {
    detail: `The ${names} rate limit is exceeded; retry in ${seconds} s`,
    headers: { 'retry-after': String(seconds) },
  })
}
