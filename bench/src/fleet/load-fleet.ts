import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SignerName, signerNames } from '@wp/contracts'
import {
  findFreePort,
  type Postgres,
  readProcessInfo,
  startTestFleet,
  startTestServers,
  type TestFleet,
  testAuthority,
} from '@wp/testkit'
import { type HelperProcess, startHelper } from '../harness/helper-process.ts'
import type { MeteredProcess } from '../harness/process-meter.ts'
import { withClient } from './bulk/with-client.ts'
import { configureServer } from './statements.ts'

/** The platform as processes, one of each service and one edge, with a receiver of webhooks and a model. */
export interface LoadFleet extends AsyncDisposable {
  fleet: TestFleet
  /** The superuser's URL of PostgreSQL. */
  postgresUrl: string
  receiver: HelperProcess
  /** The URL to which subscriptions send their deliveries. */
  receiverUrl: string
  processes: readonly MeteredProcess[]
  /** Contains the profile of the profiled process once it has stopped. */
  profileDirectory: string | undefined
}

/**
 * @param profiled the process whose functions are to be measured
 * @param withStatements count the time of each statement
 */
export async function startLoadFleet(profiled: string | undefined, withStatements: boolean): Promise<LoadFleet> {
  const servers = await startTestServers()
  await configureServer(servers.postgres, withStatements)
  const receiverPort = await findFreePort()
  const { certificate, key } = testAuthority().issue({ names: ['localhost', '127.0.0.1'] })
  const receiver = await startHelper(join(import.meta.dirname, '../webhooks/receiver.ts'), {
    CERTIFICATE: certificate,
    KEY: key,
    PORT: `${receiverPort}`,
  })
  const model = await startHelper(join(import.meta.dirname, '../ai/model-process.ts'), {})
  const modelUrl = await model.call<string>('start')
  await model.call('stream', { count: 20, intervalMs: 0 })
  const profileDirectory = profiled === undefined ? undefined : mkdtempSync(join(tmpdir(), 'wp-profile-'))
  const profile = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileDirectory}` }
  const fleet = await startTestFleet({
    mode: 'processes',
    limits: 'default',
    env: withProfile({ ai: { AI_BASE_URL: modelUrl, AI_MODEL: 'test-model' } }, profiled, profile),
    outbound: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', OUTBOUND_CA_FILE: testAuthority().file },
  })
  return {
    fleet,
    postgresUrl: servers.postgres.url,
    receiver,
    receiverUrl: `https://127.0.0.1:${receiverPort}/ok`,
    processes: [
      ...signerNames.map((name) => ({ name, pid: requirePid(name, fleet.member(name).pid) })),
      { name: 'PostgreSQL', pid: await findServerPid(servers.postgres), withChildren: true },
      { name: 'broker', pid: requirePid('the broker', servers.nats.pid) },
      { name: '(receiver)', pid: requirePid('the receiver', receiver.pid) },
      { name: '(model)', pid: requirePid('the model', model.pid) },
      { name: '(generator)', pid: process.pid },
    ],
    profileDirectory,
    async [Symbol.asyncDispose]() {
      await fleet.stop()
      await Promise.all([receiver.stop(), model.stop()])
      await servers.stop()
    },
  }
}

type Environments = Partial<Record<SignerName, Record<string, string>>>

function withProfile(env: Environments, profiled: string | undefined, variables: Record<string, string>): Environments {
  if (profiled === undefined) return env
  const name = signerNames.find((known) => known === profiled)
  if (name === undefined) throw new Error(`--profile: there is no process ${profiled}; there are ${signerNames.join()}`)
  return { ...env, [name]: { ...env[name], ...variables } }
}

function requirePid(name: string, pid: number | undefined): number {
  if (pid === undefined) throw new Error(`${name} has no process of its own`)
  return pid
}

/** Returns the process id of the server, the parent of all its sessions. */
async function findServerPid(postgres: Postgres): Promise<number> {
  return await withClient(postgres.url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    return requirePid('PostgreSQL', readProcessInfo(rows[0]?.pid ?? 0)?.parent)
  })
}
