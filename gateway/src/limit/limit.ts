import type { ServerResponse } from 'node:http'
import { problem, type ServiceName } from '@wp/contracts'
import { networkOf } from '@wp/service'
import type { Known } from '../identify/identities.ts'
import type { Standing } from '../identify/workspace.ts'
import { type Count, type Policy, type Windows, windowSeconds } from './windows.ts'

/**
 * Counts a request against every policy that applies and says so in the answer's headers
 * (draft-ietf-httpapi-ratelimit-headers).
 * @throws Problem 429 with `Retry-After`
 */
export function limit(
  windows: Windows,
  known: Known,
  standing: Standing,
  service: ServiceName,
  response: ServerResponse,
): void {
  settle(windows.take(policiesOf(known, standing, service)), response)
}

/** Credentials that never were valid, from one address, a minute; a valid one is never refused for it. */
const wrongCredentialsAnAddress = 100

/**
 * Counts a credential that never was valid against the network it came from.
 * @throws Problem 429 with `Retry-After`
 */
export function limitGuesses(windows: Windows, address: string, response: ServerResponse): void {
  settle(windows.take([{ name: 'address', key: networkOf(address), quota: wrongCredentialsAnAddress }]), response)
}

function settle(counts: readonly Count[], response: ServerResponse): void {
  response.setHeader(
    'ratelimit-policy',
    counts.map(({ name, quota }) => `"${name}";q=${quota};w=${windowSeconds}`).join(', '),
  )
  response.setHeader(
    'ratelimit',
    counts.map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`).join(', '),
  )
  const exceeded = counts.filter((count) => count.exceeded)
  if (exceeded.length > 0) throw tooMany(exceeded)
}

function policiesOf({ identity }: Known, { grant }: Standing, service: ServiceName): Policy[] {
  const credential = { name: 'credential', key: identity.credential_id, quota: identity.limits.credential_per_minute }
  if (grant === undefined) return [credential]
  return [
    credential,
    { name: 'workspace', key: `${grant.workspace_id}:${service}`, quota: grant.limits.workspace_per_minute },
  ]
}

/** The refusal, asking to wait until the last of the exceeded windows ends. */
function tooMany(exceeded: readonly Count[]) {
  const seconds = Math.max(...exceeded.map((count) => count.resetSeconds))
  return problem('rate_limited', {
    detail: `The limit of the ${exceeded.map((count) => count.name).join(' and of the ')} is used up for ${seconds} s`,
    headers: { 'retry-after': String(seconds) },
  })
}
