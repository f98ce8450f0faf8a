import type { ServerResponse } from 'node:http'
import { type Grant, problem, type ServiceName } from '@wp/contracts'
import { networkOf } from '@wp/service'
import type { Known } from '../identify/identities.ts'
import type { Standing } from '../identify/workspace.ts'
import { windowSeconds } from './clock.ts'
import type { Count, Policy, Windows } from './windows.ts'

/**
 * Counts a request against every policy that applies and says so in the answer's headers
 * (draft-ietf-httpapi-ratelimit-headers).
 * @throws Problem 429 with `Retry-After`
 */
export function limit(
  windows: Windows,
  { identity }: Known,
  { grant }: Standing,
  service: ServiceName,
  response: ServerResponse,
): void {
  const credential = { name: 'credential', key: identity.credential_id, quota: identity.limits.credential_per_minute }
  settle(windows, grant === undefined ? [credential] : [credential, workspaceOf(grant, service)], response)
}

/** Credentials that never were valid, from one address, a minute; a valid one is never refused for it. */
const wrongCredentialsAnAddress = 100

/**
 * Counts a credential that never was valid against the network it came from.
 * @throws Problem 429 with `Retry-After`
 */
export function limitGuesses(windows: Windows, address: string, response: ServerResponse): void {
  settle(windows, [{ name: 'address', key: networkOf(address), quota: wrongCredentialsAnAddress }], response)
}

function settle(windows: Windows, policies: readonly Policy[], response: ServerResponse): void {
  const counts = windows.take(policies)
  let limits = ''
  let standing = ''
  let isRefused = false
  for (const { name, quota, remaining, resetSeconds, exceeded } of counts) {
    const comma = limits === '' ? '' : ', '
    limits += `${comma}"${name}";q=${quota};w=${windowSeconds}`
    standing += `${comma}"${name}";r=${remaining};t=${resetSeconds}`
    isRefused ||= exceeded
  }
  response.setHeader('ratelimit-policy', limits)
  response.setHeader('ratelimit', standing)
  if (isRefused) throw tooMany(counts.filter((count) => count.exceeded))
}

const workspaceOf = ({ workspace_id: workspaceId, limits }: Grant, service: ServiceName): Policy => ({
  name: 'workspace',
  key: `${workspaceId}:${service}`,
  quota: limits.workspace_per_minute,
})

/** The refusal, asking to wait until the last of the exceeded policies may admit again. */
function tooMany(exceeded: readonly Count[]) {
  const seconds = Math.max(...exceeded.map((count) => count.retrySeconds))
  return problem('rate_limited', {
    detail: `The limit of the ${exceeded.map((count) => count.name).join(' and of the ')} is used up for ${seconds} s`,
    headers: { 'retry-after': String(seconds) },
  })
}
