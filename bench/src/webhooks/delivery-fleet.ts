import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { newId } from '@wp/database'
import { assertionHeader, createSigner, readSigningKey } from '@wp/service'
import { createTestCaller, createTestDatabase, type TestFleet } from '@wp/testkit'
import { Pool } from 'pg'
import { type FleetOptions, postgresProcess, withFleet } from '../harness/fleet.ts'
import { type HelperProcess, startHelper } from '../harness/helper-process.ts'
import { type MeteredProcess, meteredProcess } from '../harness/process-usage.ts'
import { loopbackAccess, startWebhookReceiver, type WebhookReceiver } from './receiver.ts'

/** The delivery service as a process, its receiver, and a producer of events. */
export interface DeliveryFleet {
  receiver: WebhookReceiver
  /** Also runs a replica of the relay. */
  producer: HelperProcess
  /** Connected to the delivery service's database as superuser. */
  sql: Pool
  /** The processes that take part in a delivery, from the commit on; the delivery process first. */
  processes: readonly MeteredProcess[]
  /** Creates a subscription of a receiver's path. @param workspaceId default a new workspace */
  subscribe(path: string, workspaceId?: string): Promise<BenchSubscription>
  /** Creates subscriptions of `/ok`, each of a new workspace. */
  subscribeEach(count: number): Promise<BenchSubscription[]>
}

export interface BenchSubscription {
  id: string
  workspaceId: string
}

/** Runs work with a delivery fleet. @param settings of the delivery service that differ from the defaults */
export async function withDeliveryFleet(
  { isDurable, settings = {} }: { isDurable: boolean; settings?: Record<string, string> },
  work: (delivery: DeliveryFleet) => Promise<void>,
): Promise<void> {
  const options: FleetOptions = {
    isDurable,
    services: ['auth', 'webhook-delivery'],
    limits: 'default',
    env: { 'webhook-delivery': settings },
    outbound: loopbackAccess(),
  }
  await withFleet(options, async (fleet, { postgres, nats }) => {
    const receiver = await startWebhookReceiver()
    const database = await createTestDatabase('producer-bench')
    const { SHARD = '' } = fleet.env('webhook-delivery')
    const env = { DATABASE_URL: database.url, DATABASE_WORKER_URL: database.workerUrl, NATS_URL: nats.url, SHARD }
    const producer = await startHelper(join(import.meta.dirname, 'producer.ts'), env)
    const sql = new Pool({ connectionString: fleet.databases.get('webhook-delivery')?.adminUrl, max: 4 })
    const subscribeTo = (path: string, workspaceId = newId('ws')) => subscribe(fleet, receiver.url(path), workspaceId)
    try {
      await work({
        receiver,
        producer,
        sql,
        processes: [
          meteredProcess('delivery', fleet.member('webhook-delivery')),
          await postgresProcess(postgres.url),
          meteredProcess('broker', nats),
          meteredProcess('producer', producer),
        ],
        subscribe: subscribeTo,
        async subscribeEach(count) {
          const subscriptions: BenchSubscription[] = []
          for (let index = 0; index < count; index += 1) subscriptions.push(await subscribeTo('/ok'))
          return subscriptions
        },
      })
    } finally {
      await Promise.all([producer, receiver].map((process) => process.stop()))
      await sql.end()
    }
  })
}

/** Creates a subscription in the name of the edge, of a workspace that exists nowhere else. */
async function subscribe(fleet: TestFleet, endpoint: string, workspaceId: string): Promise<BenchSubscription> {
  const { ASSERTION_KEY_FILE = '', SHARD = '' } = fleet.env('gateway')
  const signer = createSigner(await readSigningKey(ASSERTION_KEY_FILE, 'gateway'))
  const assertion = await signer.sign(createTestCaller(workspaceId, SHARD), 'webhook-delivery')
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const response = await fetch(`${fleet.addresses['webhook-delivery']}/v1/webhooks/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [assertionHeader]: assertion },
    body: JSON.stringify({ endpoint, events: ['RECOMMENDATION_CREATED'], secret }),
  })
  if (response.status !== 201) throw new Error(`failed to subscribe: ${response.status} ${await response.text()}`)
  // the type of the endpoint's contract
  const { data } = (await response.json()) as { data: { webhook_id: string } }
  return { id: data.webhook_id, workspaceId }
}
