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
import { Client } from 'pg'
import { type HelperProcess, startHelper } from '../harness/helper-process.ts'
import type { MeteredProcess } from './process-meter.ts'

/** The platform as processes, one of each service and one edge, with a receiver of webhooks and a model. */
export interface LoadFleet extends AsyncDisposable {
  fleet: TestFleet
  receiver: HelperProcess
  /** Where subscriptions send their deliveries. */
  receiverUrl: string
  processes: readonly MeteredProcess[]
  /** Contains the profile of the profiled process once it has stopped. */
  profileDirectory: string | undefined
}

/** @param profiled the process whose functions are to be measured */
export async function startLoadFleet(profiled?: string): Promise<LoadFleet> {
  const servers = await startTestServers()
  await keepCommitTimes(servers.postgres)
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

/** Restarts the server so that it keeps the time of each commit. */
async function keepCommitTimes(postgres: Postgres): Promise<void> {
  await withClient(postgres.url, (client) => client.query('ALTER SYSTEM SET track_commit_timestamp = on'))
  await postgres.restart()
}

/** Returns the process id of the server, the parent of all its sessions. */
async function findServerPid(postgres: Postgres): Promise<number> {
  return await withClient(postgres.url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    return requirePid('PostgreSQL', readProcessInfo(rows[0]?.pid ?? 0)?.parent)
  })
}

/** Runs statements on a connection of their own. */
export async function withClient<Result>(
  url: string | undefined,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
