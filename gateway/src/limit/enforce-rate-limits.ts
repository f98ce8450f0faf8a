import type { ServerResponse } from 'node:http'
import {
  type EndpointDefinition,
  type Grant,
  isCallLimited,
  meterExhausted,
  type Problem,
  problem,
  type ServiceName,
} from '@wp/contracts'
import { type Policy, type PolicyStatus, type RateLimiter, windowSeconds } from '@wp/rate-limit'
import { networkPrefix } from '@wp/service'
import type { ResolvedCredential } from '../identify/resolved-credential.ts'
import type { WorkspaceSelection } from '../identify/workspace-selector.ts'

/**
 * Counts a request against the policies of its credential and its workspace, and sets the rate-limit headers
 * (draft-ietf-httpapi-ratelimit-headers).
 *
 * @throws Problem 429 with `Retry-After`
 */
export function enforceRateLimits(
  limiter: RateLimiter,
  resolved: ResolvedCredential,
  selection: WorkspaceSelection,
  service: ServiceName,
  response: ServerResponse,
): void {
  reportOrReject(limiter.take(policiesOf(resolved, selection, service)), response)
}

/** Sets the rate-limit headers of a request that is denied for another reason, without counting it. */
export function reportRateLimits(
  limiter: RateLimiter,
  resolved: ResolvedCredential,
  selection: WorkspaceSelection,
  service: ServiceName,
  response: ServerResponse,
): void {
  setHeaders(limiter.check(policiesOf(resolved, selection, service)), response)
}

function policiesOf(
  { identity }: ResolvedCredential,
  { grant }: WorkspaceSelection,
  service: ServiceName,
): readonly Policy[] {
  const credential = { name: 'credential', key: identity.credential_id, quota: identity.limits.credential_per_minute }
  return grant === undefined ? [credential] : [credential, workspacePolicy(grant, service)]
}

/** Requests per minute from one network with credentials that never existed. Valid credentials do not count. */
const invalidCredentialsPerMinute = 100

/**
 * Counts a credential that never existed against the network it came from.
 *
 * @throws Problem 429 with `Retry-After`
 */
export function limitInvalidCredentials(limiter: RateLimiter, address: string, response: ServerResponse): void {
  reportOrReject(limiter.take([invalidCredentialPolicy(address)]), response)
}

/** Sets the rate-limit headers of a request that is denied before its caller is known, without counting it. */
export function reportInvalidCredentialLimit(limiter: RateLimiter, address: string, response: ServerResponse): void {
  setHeaders(limiter.check([invalidCredentialPolicy(address)]), response)
}

const invalidCredentialPolicy = (address: string): Policy => ({
  name: 'address',
  key: networkPrefix(address),
  quota: invalidCredentialsPerMinute,
})

/**
 * Sets the rate-limit headers.
 *
 * @throws Problem 429 with `Retry-After` if a policy is exceeded
 */
export function reportOrReject(statuses: readonly PolicyStatus[], response: ServerResponse): void {
  setHeaders(statuses, response)
  const exceeded = statuses.filter((status) => status.isExceeded)
  if (exceeded.length > 0) throw rateLimitedProblem(exceeded)
}

function setHeaders(statuses: readonly PolicyStatus[], response: ServerResponse): void {
  let policyHeader = ''
  let usageHeader = ''
  for (const { name, quota, remaining, resetSeconds } of statuses) {
    const comma = policyHeader === '' ? '' : ', '
    policyHeader += `${comma}"${name}";q=${quota};w=${windowSeconds}`
    usageHeader += `${comma}"${name}";r=${remaining};t=${resetSeconds}`
  }
  response.setHeader('ratelimit-policy', policyHeader)
  response.setHeader('ratelimit', usageHeader)
}

const workspacePolicy = ({ workspace_id: workspaceId, limits }: Grant, service: ServiceName): Policy => ({
  name: 'workspace',
  key: `${workspaceId}:${service}`,
  quota: limits.services?.[service] ?? limits.workspace_per_minute,
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

/**
 * Asserts that the plan of the workspace includes further calls.
 *
 * @param grant undefined if the request is in no workspace
 * @param now milliseconds since 1970
 * @throws Problem `quota_exceeded`
 */
export function enforceCallLimit(definition: EndpointDefinition, grant: Grant | undefined, now: number): void {
  const until = grant?.limits.calls_exhausted_until
  if (until === undefined || !isCallLimited(definition)) return
  const end = new Date(until)
  if (end.getTime() > now) throw meterExhausted('api_calls', end)
}
