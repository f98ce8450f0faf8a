import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { signerNames } from '@wp/contracts'
import { eventually, type TestFleet } from '@wp/testkit'
import { postgresProcess, requireOk, setRateLimits, withClient, withFleet } from '../harness/fleet.ts'
import { startHelper } from '../harness/helper-process.ts'
import { type MeteredProcess, meteredProcess } from '../harness/process-usage.ts'
import { forecastInput, forecastPath } from '../neighbours/attacks/forecasts.ts'
import { generateRecords } from '../search/synthetic-corpus.ts'
import { createSource, sendRecords } from '../search/upload.ts'
import { loopbackAccess, startWebhookReceiver, type WebhookReceiver } from '../webhooks/receiver.ts'

/** The platform as processes, one of each service and one edge, with a receiver of webhooks and a model. */
export interface LoadFleet {
  fleet: TestFleet
  /** The superuser's URL of PostgreSQL. */
  postgresUrl: string
  receiver: WebhookReceiver
  processes: readonly MeteredProcess[]
  workspaces: readonly LoadWorkspace[]
}

/** A workspace under load, with one source and one subscription. */
export interface LoadWorkspace {
  apiKey: string
  /** Access token of its service principal, with every scope. */
  token: string
  sourceId: string
  /** Some of its records. */
  recordIds: string[]
  webhookId: string
  agentId?: string
  /** A finished one. */
  forecastRunId?: string
}

const knownRecords = 50
const workspacesWithAgents = 20

type Size = Record<'workspaces' | 'records', number>

/** Runs work with the platform and workspaces. @param size the number of workspaces, and of the records of each */
export async function withLoadFleet(size: Size, work: (load: LoadFleet) => Promise<void>): Promise<void> {
  const model = await startHelper(join(import.meta.dirname, 'model.ts'), {})
  const ai = { AI_BASE_URL: await model.call<string>('url'), AI_MODEL: 'test-model' }
  const receiver = await startWebhookReceiver()
  await withFleet({ limits: 'default', env: { ai }, outbound: loopbackAccess() }, async (fleet, servers) => {
    await withClient(servers.postgres.url, (client) => client.query('ALTER SYSTEM SET track_commit_timestamp = on'))
    await servers.postgres.restart()
    const processes = [
      ...signerNames.map((name) => meteredProcess(name, fleet.member(name))),
      await postgresProcess(servers.postgres.url),
      meteredProcess('broker', servers.nats),
      meteredProcess('(receiver)', receiver),
      meteredProcess('(model)', model),
      meteredProcess('(generator)', process),
    ]
    const workspaces = await createWorkspaces(fleet, receiver.url('/ok'), size)
    await work({ fleet, postgresUrl: servers.postgres.url, receiver, processes, workspaces })
  })
  await Promise.all([receiver.stop(), model.stop()])
}

async function createWorkspaces(fleet: TestFleet, endpoint: string, size: Size): Promise<LoadWorkspace[]> {
  const seeded = []
  for (let index = 0; index < size.workspaces; index += 1) seeded.push(await fleet.seed(`load-${index}`))
  await setRateLimits(fleet)
  const tokens = await fleet.tokenOfEach(seeded)
  const workspaces: LoadWorkspace[] = []
  for (const [index, { apiKey }] of seeded.entries()) {
    const token = tokens[index] ?? ''
    const source = await uploadSource(fleet, token, size.records)
    const subscription = { endpoint, events: ['API_KEY_CREATED'], secret: 'benchmark-signing-secret' }
    const { webhook_id: webhookId } = await post(fleet, token, '/v1/webhooks/webhooks', subscription)
    const others = index < workspacesWithAgents ? await addAgentAndForecast(fleet, token) : {}
    workspaces.push({ apiKey, token, webhookId, ...source, ...others })
  }
  return workspaces
}

const post = (fleet: TestFleet, as: string, path: string, body: unknown) =>
  requireOk(fleet.request('POST', path, { as, body }))

async function uploadSource(fleet: TestFleet, as: string, records: number) {
  const sourceId = await createSource(fleet, as)
  const uploaded = await sendRecords(fleet, as, sourceId, generateRecords(records, 1))
  // The response to a large upload is that of a sync.
  if (uploaded.id !== undefined) await waitForEnd(fleet, as, `/v1/data/syncs/${uploaded.id}`)
  const path = `/v1/data/sources/${sourceId}/records?limit=${knownRecords}`
  const known: { record_id: string }[] = await requireOk(fleet.request('GET', path, { as }))
  return { sourceId, recordIds: known.map(({ record_id }) => record_id) }
}

async function addAgentAndForecast(fleet: TestFleet, as: string) {
  const agent = { name: 'Analyst', instructions: 'Answer in one sentence.' }
  const { agent_id: agentId } = await post(fleet, as, '/v1/agents/agents', agent)
  const { id: forecastRunId } = await post(fleet, as, forecastPath, forecastInput(1, 336))
  await waitForEnd(fleet, as, `${forecastPath}/${forecastRunId}`)
  return { agentId, forecastRunId }
}

async function waitForEnd(fleet: TestFleet, as: string, path: string): Promise<void> {
  const read = async () => (await requireOk(fleet.request('GET', path, { as }))).finished_at !== null
  await eventually(read, { timeoutMs: 120_000, intervalMs: 100, description: path })
}

const longestWaitMs = 30_000

/**
 * Waits until jobs, events and deliveries have been processed and PostgreSQL vacuums nothing, half a minute at most.
 * @returns the time in seconds
 */
export async function waitUntilIdle({ fleet, postgresUrl }: LoadFleet): Promise<number> {
  const startedAt = performance.now()
  const vacuums = {
    adminUrl: postgresUrl,
    statement: `SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'autovacuum worker'`,
  }
  const queues = [...fleet.databases].map(([service, { adminUrl }]) => ({
    adminUrl,
    statement: `SELECT (SELECT count(*) FROM platform.jobs WHERE state IN ('queued', 'running') AND run_at <= now())
      + (SELECT count(*) FROM platform.outbox WHERE published_at IS NULL)
      ${service === 'webhook-delivery' ? "+ (SELECT count(*) FROM deliveries WHERE status = 'pending')" : ''} AS count`,
  }))
  for (;;) {
    const counts = await Promise.all(
      [vacuums, ...queues].map(({ adminUrl, statement }) =>
        withClient(adminUrl, async (client) => Number((await client.query(statement)).rows[0]?.count)),
      ),
    )
    const elapsedMs = performance.now() - startedAt
    if (counts.every((count) => count === 0) || elapsedMs > longestWaitMs) return elapsedMs / 1_000
    await pause(200)
  }
}
