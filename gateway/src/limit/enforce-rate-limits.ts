import type { ServerResponse } from 'node:http'
import { type Grant, problem, type ServiceName } from '@wp/contracts'
import { networkPrefix } from '@wp/service'
import type { ResolvedCredential } from '../identify/identity-cache.ts'
import type { WorkspaceSelection } from '../identify/workspace-selector.ts'
import { windowSeconds } from './clock.ts'
import type { Policy, PolicyStatus, RateLimiter } from './rate-limiter.ts'

/**
 * Counts a request against every policy that applies and says so in the answer's headers
 * (draft-ietf-httpapi-ratelimit-headers).
 * @throws Problem 429 with `Retry-After`
 */
export function enforceRateLimits(
  windows: RateLimiter,
  { identity }: ResolvedCredential,
  { grant }: WorkspaceSelection,
  service: ServiceName,
  response: ServerResponse,
): void {
  const credential = { name: 'credential', key: identity.credential_id, quota: identity.limits.credential_per_minute }
  takeOrReject(windows, grant === undefined ? [credential] : [credential, workspacePolicy(grant, service)], response)
}

/** Credentials that never were valid, from one address, a minute; a valid one is never refused for it. */
const invalidCredentialsPerMinute = 100

/**
 * Counts a credential that never was valid against the network it came from.
 * @throws Problem 429 with `Retry-After`
 */
export function limitInvalidCredentials(windows: RateLimiter, address: string, response: ServerResponse): void {
  takeOrReject(
    windows,
    [{ name: 'address', key: networkPrefix(address), quota: invalidCredentialsPerMinute }],
    response,
  )
}

function takeOrReject(windows: RateLimiter, policies: readonly Policy[], response: ServerResponse): void {
  const counts = windows.take(policies)
  let policyHeader = ''
  let usageHeader = ''
  let isRefused = false
  for (const { name, quota, remaining, resetSeconds, isExceeded: exceeded } of counts) {
    const comma = policyHeader === '' ? '' : ', '
    policyHeader += `${comma}"${name}";q=${quota};w=${windowSeconds}`
    usageHeader += `${comma}"${name}";r=${remaining};t=${resetSeconds}`
    isRefused ||= exceeded
  }
  response.setHeader('ratelimit-policy', policyHeader)
  response.setHeader('ratelimit', usageHeader)
  if (isRefused) throw rateLimitedProblem(counts.filter((count) => count.isExceeded))
}

const workspacePolicy = ({ workspace_id: workspaceId, limits }: Grant, service: ServiceName): Policy => ({
  name: 'workspace',
  key: `${workspaceId}:${service}`,
  quota: limits.workspace_per_minute,
})

/** The refusal, asking to wait until the last of the exceeded policies may admit again. */
function rateLimitedProblem(exceeded: readonly PolicyStatus[]) {
  const seconds = Math.max(...exceeded.map((count) => count.retrySeconds))
  return problem('rate_limited', {
    detail: `The limit of the ${exceeded.map((count) => count.name).join(' and of the ')} is used up for ${seconds} s`,
    headers: { 'retry-after': String(seconds) },
  })
}
