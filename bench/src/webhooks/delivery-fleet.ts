import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { newId } from '@wp/database'
import { assertionHeader, createSigner, keyFilePaths, readSigningKey } from '@wp/service'
import {
  buildProcessEnvironment,
  createTemporaryKeys,
  createTestCaller,
  createTestDatabase,
  eventually,
  findFreePort,
  type Member,
  startMemberProcess,
  startNats,
  startPostgres,
  testAuthority,
} from '@wp/testkit'
import { Pool } from 'pg'
import { type HelperProcess, startHelper } from './helper-process.ts'

/** The delivery service as a process, its receiver and its producer as others; a broker and a database of their own. */
export interface DeliveryFleet {
  delivery: Member
  receiver: HelperProcess
  /** The first commits; each runs a replica of the relay. */
  producers: HelperProcess[]
  /** As PostgreSQL's superuser, in the delivery service's database. */
  sql: Pool
  /** The superuser's address of PostgreSQL. */
  postgresUrl: string
  /** Of a path of the receiver. */
  url(path: string): string
  /** One subscription, in a workspace of its own where none is given. */
  subscribe(path: string, workspaceId?: string): Promise<BenchSubscription>
  /** Puts due deliveries into queues; nothing of them is sent until `enable`. */
  addBacklog(webhooks: readonly BenchSubscription[], each: number): Promise<void>
  enable(webhooks: readonly BenchSubscription[]): Promise<void>
  addProducer(): Promise<void>
  stop(): Promise<void>
}

export interface BenchSubscription {
  id: string
  workspaceId: string
}

/** @param env beside the usual of the delivery service */
export async function startDeliveryFleet(env: Record<string, string> = {}): Promise<DeliveryFleet> {
  const [postgres, nats, keysDirectory] = await Promise.all([startPostgres(), startNats(), createTemporaryKeys()])
  process.env.WP_TEST_RUN = `bench${process.pid}`
  const shard = 'bench'
  const [database, producing] = [
    await createTestDatabase('webhook-delivery', postgres.url),
    await createTestDatabase('producer-bench', postgres.url),
  ]
  const settings = {
    baseUrl: 'http://localhost:4000',
    shard,
    location: 'BENCH',
    natsUrl: nats.url,
    keysDirectory,
    kek: randomBytes(32).toString('base64'),
    logLevel: 'error',
    upstreams: {},
    outbound: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', OUTBOUND_CA_FILE: testAuthority().file },
  }
  const [port, receiverPort] = [await findFreePort(), await findFreePort()]
  const { certificate, key } = testAuthority().issue({ names: ['localhost', '127.0.0.1'] })
  const addProducer = async () =>
    void producers.push(
      await startHelper('producer.ts', {
        DATABASE_URL: producing.url,
        DATABASE_WORKER_URL: producing.workerUrl,
        NATS_URL: nats.url,
        SHARD: shard,
      }),
    )
  const producers: HelperProcess[] = []
  const receiver = await startHelper('receiver.ts', { CERTIFICATE: certificate, KEY: key, PORT: String(receiverPort) })
  const delivery = await startMemberProcess('webhook-delivery', {
    ...buildProcessEnvironment('webhook-delivery', settings, port, database),
    ...env,
  })
  await addProducer()
  const sql = new Pool({ connectionString: database.adminUrl, max: 4 })
  const signer = createSigner(await readSigningKey(keyFilePaths(keysDirectory).keyFile('gateway'), 'gateway'))

  return {
    delivery,
    receiver,
    producers,
    sql,
    postgresUrl: postgres.url,
    url: (path) => `https://127.0.0.1:${receiverPort}${path}`,
    addProducer,
    async subscribe(path, workspaceId = newId('ws')) {
      const assertion = await signer.sign(createTestCaller(workspaceId, shard), 'webhook-delivery')
      const response = await fetch(`http://127.0.0.1:${port}/v1/webhooks/webhooks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [assertionHeader]: assertion },
        body: JSON.stringify({
          endpoint: `https://127.0.0.1:${receiverPort}${path}`,
          events: ['RECOMMENDATION_CREATED'],
          secret: `whsec_${randomBytes(32).toString('base64')}`,
        }),
      })
      if (response.status !== 201) throw new Error(`no subscription: ${response.status} ${await response.text()}`)
      // The contract of the endpoint just called.
      const { data } = (await response.json()) as { data: { webhook_id: string } }
      return { id: data.webhook_id, workspaceId }
    },
    async addBacklog(webhooks, each) {
      const ids = webhooks.map(({ id }) => id)
      await sql.query('UPDATE endpoints SET enabled = false WHERE webhook_id = ANY ($1)', [ids])
      await sql.query(
        `INSERT INTO deliveries (request_id, workspace_id, webhook_id, event_id, event_kind, body, status,
           next_attempt_at, occurred_at)
         SELECT 'dlv_' || $3 || n || s.webhook_id, s.workspace_id, s.webhook_id, 'evt_' || $3 || n, 'RECOMMENDATION_CREATED',
           convert_to($4, 'UTF8'), 'pending', now() - interval '1 hour', now() - interval '1 hour'
         FROM subscriptions s CROSS JOIN generate_series(1, $2::int) AS n WHERE s.webhook_id = ANY ($1)`,
        [ids, each, randomUUID(), sampleBody],
      )
      await sql.query('ANALYZE deliveries, endpoints, subscriptions')
    },
    async enable(webhooks) {
      await sql.query(
        `UPDATE endpoints SET enabled = true, next_due_at = now() - interval '1 hour' WHERE webhook_id = ANY ($1)`,
        [webhooks.map(({ id }) => id)],
      )
    },
    async stop() {
      await Promise.all([...producers, delivery, receiver].map((each) => each.stop()))
      await sql.end()
      await Promise.all([postgres.stop(), nats.stop(), rm(keysDirectory, { recursive: true, force: true })])
    },
  }
}

/** What a usual event comes to. */
export const sampleBody = JSON.stringify({
  event: 'RECOMMENDATION_CREATED',
  workspace_id: 'ws_01h455vb4pex5vsknk084sn02q',
  request_id: 'dlv_01h455vb4pex5vsknk084sn02q',
  payload: {
    id: 'rec_01h455vb4pex5vsknk084sn02q',
    status: 'open',
    occurred_at: '2026-01-01T00:00:00.000Z',
    forecast_run_id: 'fr_01h455vb4pex5vsknk084sn02q',
    kind: 'capacity',
    title: 'x'.repeat(200),
  },
})

/** And what goes with it; signatures are as long as these, whatever they say. */
export const sampleHeaders: Record<string, string> = {
  'content-type': 'application/json',
  'user-agent': 'WorkspacePlatform-Webhooks/1.0',
  'x-webhook-event': 'RECOMMENDATION_CREATED',
  'x-webhook-request-id': 'dlv_01h455vb4pex5vsknk084sn02q',
  'x-webhook-event-id': 'evt_01h455vb4pex5vsknk084sn02q',
  'x-webhook-attempt': '1',
  'x-webhook-signature': '0'.repeat(64),
  'webhook-id': 'dlv_01h455vb4pex5vsknk084sn02q',
  'webhook-timestamp': '1767225600',
  'webhook-signature': `v1,${'0'.repeat(44)}`,
  'accept-encoding': 'identity',
}

/** Waits until as many have arrived. */
export const waitForDeliveries = (world: DeliveryFleet, count: number, kind = 'ok'): Promise<true> =>
  eventually(async () => (await world.receiver.call<number>('count', kind)) >= count, {
    timeoutMs: 120_000,
    intervalMs: 20,
    description: `${count} deliveries`,
  })
