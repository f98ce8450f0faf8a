import type { Nats, TestFleet } from '@wp/testkit'
import { Client } from 'pg'
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
  /** Environment of a gateway whose broker is not that of auth. */
  isolated: Record<string, string>
  /** Access token of a user who may revoke keys and their own sessions. */
  owner: string
}

interface Scenario {
  name: string
  /** Maximum time from the response to the DELETE request to the last admission. */
  boundSeconds: number
  /** @returns for each credential the milliseconds from the response to the last admission */
  run(bench: RevocationBench, credentials: readonly RevocableCredential[]): Promise<number[]>
}

export const scenarios: readonly Scenario[] = [
  { name: 'no failure', boundSeconds: 1, run: (bench, credentials) => revokeSequentially(bench, credentials) },
  {
    name: 'broker restarted in the middle',
    boundSeconds: changeLogSeconds,
    run: (bench, credentials) =>
      revokeSequentially(bench, credentials, async (revokedCount) => {
        if (revokedCount === credentials.length / 2) await bench.nats.restart()
      }),
  },
  {
    name: 'broker stopped',
    boundSeconds: changeLogSeconds,
    async run(bench, credentials) {
      const times = await revokeConcurrently(bench, credentials, { beforeFirst: () => bench.nats.kill() })
      await bench.nats.restart()
      return times
    },
  },
  {
    name: 'auth stopped',
    boundSeconds: 1,
    async run(bench, credentials) {
      const times = await revokeConcurrently(bench, credentials, {
        afterLast: () => bench.fleet.member('auth').kill(),
      })
      await bench.fleet.restart('auth')
      return times
    },
  },
  {
    name: 'auth and broker stopped',
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
  {
    name: 'committed without a message',
    boundSeconds: changeLogSeconds,
    run: (bench, credentials) => revokeConcurrently(bench, credentials, { revoke: revokeInDatabase }),
  },
  {
    name: 'gateway on another broker',
    boundSeconds: changeLogSeconds,
    async run(bench, credentials) {
      const edge = await bench.fleet.addEdge(bench.isolated)
      const times = await revokeConcurrently({ ...bench, edges: [edge.baseUrl] }, credentials, {})
      await edge.member.stop()
      return times
    },
  },
]

/**
 * Revokes four credentials at a time. Each is sent to every gateway without pauses, from before its revocation until
 * every gateway has rejected it.
 */
async function revokeSequentially(
  bench: RevocationBench,
  credentials: readonly RevocableCredential[],
  afterEach: (revokedCount: number) => Promise<void> = async () => undefined,
): Promise<number[]> {
  let revokedCount = 0
  return await mapConcurrently(credentials, 4, async (credential) => {
    const monitor = monitorCredential(credential, { edges: bench.edges, path, intervalMs: 2 })
    await monitor.admittedByAll
    const answeredAt = await revoke(bench, credential, monitor)
    const time = await timeToLastAdmission(monitor, answeredAt)
    revokedCount += 1
    await afterEach(revokedCount)
    return time
  })
}

interface RevocationHooks {
  /** Default: a DELETE request. @returns when the credential was revoked */
  revoke?: (bench: RevocationBench, credential: RevocableCredential, monitor: CredentialMonitor) => Promise<number>
  beforeFirst?: () => Promise<void>
  afterLast?: () => Promise<void>
}

/** Revokes all credentials as fast as possible after every gateway has admitted each of them. */
async function revokeConcurrently(
  bench: RevocationBench,
  credentials: readonly RevocableCredential[],
  { beforeFirst, afterLast, revoke: revokeOne = revoke }: RevocationHooks,
): Promise<number[]> {
  const monitored = credentials.map((credential) => ({
    credential,
    monitor: monitorCredential(credential, { edges: bench.edges, path, intervalMs: 250 }),
  }))
  await Promise.all(monitored.map(({ monitor }) => monitor.admittedByAll))
  await beforeFirst?.()
  const answerTimes = await mapConcurrently(monitored, 16, ({ credential, monitor }) =>
    revokeOne(bench, credential, monitor),
  )
  await afterLast?.()
  return await Promise.all(
    monitored.map(({ monitor }, index) => timeToLastAdmission(monitor, answerTimes[index] ?? Number.NaN)),
  )
}

/** @returns when the response arrived */
async function revoke(
  bench: RevocationBench,
  credential: RevocableCredential,
  monitor: CredentialMonitor,
): Promise<number> {
  const { status, body } = await bench.fleet.request('DELETE', credential.path, { as: bench.owner })
  const answeredAt = performance.now()
  if (status !== 200) throw new Error(`DELETE ${credential.path}: ${status} ${JSON.stringify(body)}`)
  monitor.expectRejection()
  return answeredAt
}

/** Revokes a credential as auth does if it is killed between its commit and its message. */
async function revokeInDatabase(
  { fleet }: RevocationBench,
  { kind, path: credentialPath }: RevocableCredential,
  monitor: CredentialMonitor,
): Promise<number> {
  const statement =
    kind === 'key'
      ? 'UPDATE api_keys SET deleted_at = now() WHERE key_id = $1'
      : 'UPDATE sessions SET ended_at = now() WHERE session_id = $1'
  const database = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
  await database.connect()
  await database.query(statement, [credentialPath.split('/').at(-1)])
  const revokedAt = performance.now()
  monitor.expectRejection()
  await database.end()
  return revokedAt
}

const timeToLastAdmission = async (monitor: CredentialMonitor, answeredAt: number): Promise<number> =>
  Math.max(0, (await monitor.lastAdmission) - answeredAt)
