import type { Nats, TestFleet } from '@wp/testkit'
import type { NameOf } from '../names.ts'
import { type CredentialMonitor, monitorCredential } from './credential-monitor.ts'
import { mapConcurrently, type RevocableCredential } from './credentials.ts'

const path = '/v1/data/sources'
export const cacheSeconds = 10
/** Less than the default of 60, so that the benchmark takes less time. */
export const staleSeconds = 5
/** Without heartbeats, a gateway reads the change log of auth within this time. */
const changeLogSeconds = 3

interface RevocationBench {
  fleet: TestFleet
  nats: Nats
  edges: string[]
}

interface Scenario {
  /** Maximum time from the response to the request that revokes to the last admission. */
  boundSeconds: number
  /** @returns for each credential the milliseconds from the response to the last admission */
  run(bench: RevocationBench, credentials: readonly RevocableCredential[]): Promise<number[]>
}

/** By name; each leaves everything available. */
export const scenarios: Readonly<Record<NameOf<'revocation'>, Scenario>> = {
  'no-failure': { boundSeconds: 1, run: revokeSequentially },
  'auth-stopped': {
    boundSeconds: 1,
    async run(bench, credentials) {
      const afterLast = () => bench.fleet.member('auth').kill()
      const times = await revokeConcurrently(bench, credentials, { afterLast })
      await bench.fleet.restart('auth')
      return times
    },
  },
  'broker-stopped': {
    boundSeconds: changeLogSeconds,
    async run(bench, credentials) {
      const times = await revokeConcurrently(bench, credentials, { beforeFirst: () => bench.nats.kill() })
      await bench.nats.restart()
      return times
    },
  },
  'auth-and-broker-stopped': {
    boundSeconds: cacheSeconds + staleSeconds,
    async run(bench, credentials) {
      const times = await revokeConcurrently(bench, credentials, {
        beforeFirst: () => bench.nats.kill(),
        afterLast: () => bench.fleet.member('auth').kill(),
      })
      await Promise.all([bench.nats.restart(), bench.fleet.restart('auth')])
      return times
    },
  },
}

/**
 * Revokes four credentials at a time. Each is sent to every gateway without pauses, from before its revocation until
 * every gateway has rejected it.
 */
async function revokeSequentially(
  bench: RevocationBench,
  credentials: readonly RevocableCredential[],
): Promise<number[]> {
  return await mapConcurrently(credentials, 4, async (credential) => {
    const monitor = monitorCredential(credential, { edges: bench.edges, path, intervalMs: 2 })
    await monitor.admittedByAll
    const answeredAt = await revoke(credential, monitor)
    return await timeToLastAdmission(monitor, answeredAt)
  })
}

interface RevocationHooks {
  beforeFirst?: () => Promise<void>
  afterLast?: () => Promise<void>
}

/**
 * Revokes all credentials as fast as possible after every gateway has admitted each of them. Each is sent to each
 * gateway four times per second.
 */
async function revokeConcurrently(
  bench: RevocationBench,
  credentials: readonly RevocableCredential[],
  { beforeFirst, afterLast }: RevocationHooks,
): Promise<number[]> {
  const monitored = credentials.map((credential) => ({
    credential,
    monitor: monitorCredential(credential, { edges: bench.edges, path, intervalMs: 250 }),
  }))
  await Promise.all(monitored.map(({ monitor }) => monitor.admittedByAll))
  await beforeFirst?.()
  const answerTimes = await mapConcurrently(monitored, 16, ({ credential, monitor }) =>
    revoke(credential, monitor),
  )
  await afterLast?.()
  return await Promise.all(
    monitored.map(({ monitor }, index) => timeToLastAdmission(monitor, answerTimes[index] ?? Number.NaN)),
  )
}

/** @returns when the response arrived */
async function revoke(
  credential: RevocableCredential,
  monitor: CredentialMonitor,
): Promise<number> {
  const { status, body } = await credential.revoke()
  const answeredAt = performance.now()
  if (status !== 200) throw new Error(`A ${credential.kind} is not revoked: ${status} ${JSON.stringify(body)}`)
  monitor.expectRejection()
  return answeredAt
}

const timeToLastAdmission = async (monitor: CredentialMonitor, answeredAt: number): Promise<number> =>
  Math.max(0, (await monitor.lastAdmission) - answeredAt)
