import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Nats, setTestQuota, type TestFleet } from '@wp/testkit'
import { Agent, request } from 'undici'
import { mapConcurrently } from '../harness/closed-loop.ts'
import { requireOk } from '../harness/fleet.ts'
import type { NameOf } from '../names.ts'

export const cacheSeconds = 10
/** Less than the default of 60, so that the benchmark takes less time. */
export const staleSeconds = 5
/** Without heartbeats, a gateway reads the change log of auth within this time. */
const changeLogSeconds = 3

export interface RevocationFleet {
  fleet: TestFleet
  nats: Nats
  edges: string[]
}

interface Scenario {
  /** Maximum time from the response to the request that revokes to the last admission. */
  boundSeconds: number
  /** The broker is stopped before the first revocation, auth after the last one. */
  stopped: readonly ('auth' | 'broker')[]
}

export const scenarios: Readonly<Record<NameOf<'revocation'>, Scenario>> = {
  'no-failure': { boundSeconds: 1, stopped: [] },
  'auth-stopped': { boundSeconds: 1, stopped: ['auth'] },
  'broker-stopped': { boundSeconds: changeLogSeconds, stopped: ['broker'] },
  'auth-and-broker-stopped': { boundSeconds: cacheSeconds + staleSeconds, stopped: ['auth', 'broker'] },
}

/**
 * Revokes credentials that every gateway has admitted. Without failures four at a time, each of which is sent to every
 * gateway without pauses; otherwise all as fast as possible, each of which is sent to each gateway four times per
 * second.
 *
 * @returns for each credential the milliseconds from the response to the last admission
 */
export async function revokeCredentials(
  bench: RevocationFleet,
  { stopped }: Scenario,
  credentials: readonly RevocableCredential[],
): Promise<number[]> {
  if (stopped.length === 0)
    return await mapConcurrently(credentials, 4, async (credential) => {
      const monitor = monitorCredential(bench, credential, 2)
      await monitor.admittedByAll
      return await (await revoke(credential, monitor)).untilLastAdmission
    })
  const { fleet, nats } = bench
  const monitors = new Map(credentials.map((credential) => [credential, monitorCredential(bench, credential, 250)]))
  await Promise.all([...monitors.values()].map(({ admittedByAll }) => admittedByAll))
  if (stopped.includes('broker')) await nats.kill()
  const revoked = await mapConcurrently([...monitors], 16, (monitored) => revoke(...monitored))
  if (stopped.includes('auth')) await fleet.member('auth').kill()
  const times = await Promise.all(revoked.map(({ untilLastAdmission }) => untilLastAdmission))
  await Promise.all([
    stopped.includes('broker') ? nats.restart() : undefined,
    stopped.includes('auth') ? fleet.restart('auth') : undefined,
  ])
  return times
}

async function revoke(credential: RevocableCredential, monitor: CredentialMonitor) {
  const { status, body } = await credential.revoke()
  const answeredAt = performance.now()
  if (status !== 200) throw new Error(`A ${credential.kind} is not revoked: ${status} ${JSON.stringify(body)}`)
  monitor.expectRejection()
  return { untilLastAdmission: monitor.lastAdmission.then((at) => Math.max(0, at - answeredAt)) }
}

/** Requests with one credential to every gateway, repeated until all of them reject it. */
interface CredentialMonitor {
  /** Resolves when every gateway has admitted the credential. */
  admittedByAll: Promise<unknown>
  /** Counts rejections from now on; earlier ones are ignored. */
  expectRejection(): void
  /** Resolves when every gateway rejects the credential, with the time of the last admission. */
  lastAdmission: Promise<number>
}

const dispatcher = new Agent({ connections: 64 })
/** Consecutive rejections after which a gateway counts as rejecting the credential. */
const requiredRejections = 3

/** @param intervalMs between two requests to one gateway */
function monitorCredential(
  { edges }: RevocationFleet,
  { headers }: RevocableCredential,
  intervalMs: number,
): CredentialMonitor {
  let isRevoked = false
  let lastAdmission = 0

  async function monitorEdge(edge: string, onAdmitted: () => void): Promise<void> {
    await delay(Math.random() * intervalMs)
    for (let rejections = 0; rejections < requiredRejections; ) {
      const { statusCode, body } = await request(`${edge}/v1/data/sources`, { dispatcher, headers })
      await body.dump()
      if (statusCode < 300) {
        lastAdmission = performance.now()
        rejections = 0
        onAdmitted()
      } else if (![401, 403, 503].includes(statusCode)) throw new Error(`${edge} responded with ${statusCode}`)
      else if (isRevoked) rejections += 1
      await delay(rejections > 0 ? 5 : intervalMs)
    }
  }

  const firstAdmissions = edges.map(() => Promise.withResolvers<void>())
  const monitors = edges.map((edge, index) => monitorEdge(edge, () => firstAdmissions[index]?.resolve()))
  return {
    admittedByAll: Promise.all(firstAdmissions.map(({ promise }) => promise)),
    expectRejection: () => {
      isRevoked = true
    },
    lastAdmission: Promise.all(monitors).then(() => lastAdmission),
  }
}

/** A credential that the gateway admits until it is revoked. */
interface RevocableCredential {
  kind: 'key' | 'session' | 'member'
  headers: Record<string, string>
  revoke(): Promise<{ status: number; body: unknown }>
}

/**
 * Creates API keys, sessions, and sessions of members whom a directory removes, so many of each, and returns them in
 * turn. @param owner access token of a user
 */
export async function createRevocableCredentials(
  fleet: TestFleet,
  owner: string,
  each: number,
): Promise<RevocableCredential[]> {
  for (const quota of ['seats', 'api_keys'] as const)
    await setTestQuota(fleet.databases.get('auth')?.workerUrl, fleet.owner.workspaceId, quota, 10_000)
  const { token: scimToken } = await requireOk(fleet.request('POST', '/v1/auth/scim-tokens', { as: owner, body: {} }))
  const sendScim = (method: string, path: string, body: object) =>
    fleet.request(method, `/v1/auth/scim/v2/Users${path}`, {
      headers: { authorization: `Bearer ${scimToken}`, 'content-type': 'application/scim+json' },
      rawBody: JSON.stringify(body),
    })
  const groups = await mapConcurrently([...Array(each).keys()], 4, async (): Promise<RevocableCredential[]> => {
    const key = await requireOk(fleet.request('POST', '/v1/auth/api-key', { as: owner, body: {} }))
    const token = await fleet.userToken(fleet.owner.ownerId)
    const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const email = `${randomUUID()}@example.com`
    const { status, body: user } = await sendScim('POST', '', { userName: email })
    if (status !== 201) throw new Error(`A member is not provisioned: ${status} ${JSON.stringify(user)}`)
    const [member] = await requireOk(fleet.request('GET', `/v1/auth/admin/users?email=${email}`, { as: owner }))
    const memberToken = await fleet.userToken(member.user_id)
    const remove = (path: string) => () => fleet.request('DELETE', path, { as: owner })
    const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
    const deactivation = { Operations: [{ op: 'replace', path: 'active', value: false }] }
    const deactivate = () => sendScim('PATCH', `/${user.id}`, deactivation)
    return [
      { kind: 'key', headers: { 'x-api-key': key.api_key }, revoke: remove(`/v1/auth/api-key/${key.key_id}`) },
      { kind: 'session', headers: bearer(token), revoke: remove(`/v1/auth/sessions/${sid}`) },
      { kind: 'member', headers: bearer(memberToken), revoke: deactivate },
    ]
  })
  return groups.flat()
}
