import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '@wp/database'
import { assertionHeader, createSigner, keyFilePaths, readSigningKey } from '@wp/service'
import {
  buildProcessEnvironment,
  createTemporaryKeys,
  createTestCaller,
  createTestDatabase,
  findFreePort,
  type Member,
  startMemberProcess,
  startTestServers,
  type TestDatabase,
  testAuthority,
} from '@wp/testkit'
import { Pool } from 'pg'
import { type HelperProcess, startHelper } from '../harness/helper-process.ts'
import type { MeteredProcess } from '../harness/process-meter.ts'

const shard = 'bench'

/** The delivery service, its receiver, and producers as processes, with PostgreSQL and NATS of their own. */
export interface DeliveryFleet {
  delivery: Member
  receiver: HelperProcess
  /** Each also runs a replica of the relay. There is one until `addProducer`. */
  producers: HelperProcess[]
  /** Connected to the delivery service's database as superuser. */
  sql: Pool
  brokerPid: number | undefined
  /** The URL of PostgreSQL as superuser. */
  postgresUrl: string
  /** Returns the receiver's URL of a path. */
  url(path: string): string
  /** Creates a subscription of a receiver's path. @param workspaceId default a new workspace */
  subscribe(path: string, workspaceId?: string): Promise<BenchSubscription>
  addProducer(): Promise<void>
  stop(): Promise<void>
}

export interface BenchSubscription {
  id: string
  workspaceId: string
}

/** @param env variables of the delivery service that differ from those of a test fleet */
export async function startDeliveryFleet(env: Record<string, string> = {}): Promise<DeliveryFleet> {
  const [servers, keysDirectory] = await Promise.all([startTestServers(), createTemporaryKeys()])
  const { postgres, nats } = servers
  const database = await createTestDatabase('webhook-delivery', postgres.url)
  const producerDatabase = await createTestDatabase('producer-bench', postgres.url)
  const [port, receiverPort] = [await findFreePort(), await findFreePort()]
  const delivery = await startMemberProcess('webhook-delivery', {
    ...buildProcessEnvironment('webhook-delivery', settingsOf(nats.url, keysDirectory), port, database),
    ...env,
  })
  const receiver = await startReceiver(receiverPort)
  const producers = [await startProducer(producerDatabase, nats.url)]
  const sql = new Pool({ connectionString: database.adminUrl, max: 4 })
  const url = (path: string) => `https://127.0.0.1:${receiverPort}${path}`
  return {
    delivery,
    receiver,
    producers,
    sql,
    brokerPid: nats.pid,
    postgresUrl: postgres.url,
    url,
    subscribe: (path, workspaceId = newId('ws')) => createSubscription(port, keysDirectory, url(path), workspaceId),
    async addProducer() {
      producers.push(await startProducer(producerDatabase, nats.url))
    },
    async stop() {
      await Promise.all([...producers, delivery, receiver].map((process) => process.stop()))
      await sql.end()
      await Promise.all([servers.stop(), rm(keysDirectory, { recursive: true, force: true })])
    },
  }
}

/** Returns the process id of the PostgreSQL server, whose children are its sessions. */
export const postgresProcess = ({ postgresUrl }: DeliveryFleet): number =>
  Number(execFileSync('pgrep', ['-f', '-o', `port=${new URL(postgresUrl).port}`]))

/** Returns the delivery process and what it needs. */
export const serverProcesses = (fleet: DeliveryFleet): MeteredProcess[] => [
  { name: 'delivery', pid: fleet.delivery.pid ?? 0 },
  { name: 'database', pid: postgresProcess(fleet), withChildren: true },
  { name: 'broker', pid: fleet.brokerPid ?? 0 },
]

const settingsOf = (natsUrl: string, keysDirectory: string) => ({
  baseUrl: 'http://localhost:4000',
  shard,
  location: 'BENCH',
  natsUrl,
  keysDirectory,
  kek: randomBytes(32).toString('base64'),
  logLevel: 'error',
  upstreams: {},
  outbound: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', OUTBOUND_CA_FILE: testAuthority().file },
})

function startReceiver(port: number): Promise<HelperProcess> {
  const { certificate, key } = testAuthority().issue({ names: ['localhost', '127.0.0.1'] })
  return startHelper(join(import.meta.dirname, 'receiver.ts'), {
    CERTIFICATE: certificate,
    KEY: key,
    PORT: String(port),
  })
}

const startProducer = ({ url, workerUrl }: TestDatabase, natsUrl: string): Promise<HelperProcess> =>
  startHelper(join(import.meta.dirname, 'producer.ts'), {
    DATABASE_URL: url,
    DATABASE_WORKER_URL: workerUrl,
    NATS_URL: natsUrl,
    SHARD: shard,
  })

async function createSubscription(
  port: number,
  keysDirectory: string,
  endpoint: string,
  workspaceId: string,
): Promise<BenchSubscription> {
  const signer = createSigner(await readSigningKey(keyFilePaths(keysDirectory).keyFile('gateway'), 'gateway'))
  const assertion = await signer.sign(createTestCaller(workspaceId, shard), 'webhook-delivery')
  const response = await fetch(`http://127.0.0.1:${port}/v1/webhooks/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [assertionHeader]: assertion },
    body: JSON.stringify({
      endpoint,
      events: ['RECOMMENDATION_CREATED'],
      secret: `whsec_${randomBytes(32).toString('base64')}`,
    }),
  })
  if (response.status !== 201) throw new Error(`failed to subscribe: ${response.status} ${await response.text()}`)
  // the type of the endpoint's contract
  const { data } = (await response.json()) as { data: { webhook_id: string } }
  return { id: data.webhook_id, workspaceId }
}
