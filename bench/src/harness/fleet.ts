import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '@wp/database'
import {
  readProcessInfo,
  startTestFleet,
  startTestServers,
  type TestFleet,
  type TestServers,
  testAuthority,
} from '@wp/testkit'
import { Client } from 'pg'
import { type HelperProcess, startHelper } from './helper-process.ts'
import { type MeteredProcess, meteredProcess } from './process-usage.ts'

type FleetOptions = Parameters<typeof startTestFleet>[0]

/** Runs work with PostgreSQL, NATS and a fleet of processes, and stops them all. */
export async function withFleet<Result>(
  options: FleetOptions,
  work: (fleet: TestFleet, servers: TestServers) => Promise<Result>,
): Promise<Result> {
  // Each process of the fleet is stopped when this one exits.
  process.setMaxListeners(60)
  const servers = await startTestServers()
  try {
    const fleet = await startTestFleet({ mode: 'processes', ...options })
    try {
      return await work(fleet, servers)
    } finally {
      await fleet.stop()
    }
  } finally {
    await servers.stop()
  }
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

/** Runs statements as superuser in the database of a service. */
export const inDatabase = <Result>(
  { databases }: TestFleet,
  service: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> => withClient(databases.get(service)?.adminUrl, work)

/** Returns the process of PostgreSQL, the parent of all its sessions. */
export const postgresProcess = (url: string): Promise<MeteredProcess> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const pid = readProcessInfo(rows[0]?.pid ?? 0)?.parent
    return { ...meteredProcess('PostgreSQL', { pid }), withChildren: true }
  })

/** Sets the rate limits of all workspaces; by default to more requests per minute than a benchmark sends. */
export const setRateLimits = (fleet: TestFleet, workspacePerMinute = 1_000_000_000): Promise<unknown> =>
  inDatabase(fleet, 'auth', (client) =>
    client.query('UPDATE workspaces SET credential_per_minute = 1000000000, workspace_per_minute = $1', [
      workspacePerMinute,
    ]),
  )

/** Lifts the rate limits and creates API keys of one workspace. @returns a header line for each key */
export async function createApiKeys(fleet: TestFleet, count: number): Promise<string[]> {
  await setRateLimits(fleet)
  const prefix = fleet.owner.apiKey.slice(0, fleet.owner.apiKey.lastIndexOf('.') + 1)
  const keys = Array.from({ length: count }, () => prefix + randomUUID())
  const ids = keys.map(() => newId('akey'))
  const hashes = keys.map((key) => createHash('sha256').update(key).digest('hex'))
  await inDatabase(fleet, 'auth', async (client) => {
    await client.query(
      `INSERT INTO api_keys (key_id, workspace_id, shard, location, scopes, last4, created_by, created_by_type)
       SELECT new.id, k.workspace_id, k.shard, k.location, k.scopes, k.last4, k.created_by, k.created_by_type
       FROM unnest($1::text[]) AS new(id), (SELECT * FROM api_keys WHERE workspace_id = $2 LIMIT 1) AS k`,
      [ids, fleet.owner.workspaceId],
    )
    await client.query(
      `INSERT INTO api_key_secrets (hash, key_id, workspace_id)
       SELECT new.hash, new.id, $3 FROM unnest($1::text[], $2::text[]) AS new(hash, id)`,
      [hashes, ids, fleet.owner.workspaceId],
    )
  })
  return keys.map((key) => `x-api-key: ${key}`)
}

/** Creates access tokens of one service principal. @returns a header line for each token */
export const createAccessTokens = async (fleet: TestFleet, count: number): Promise<string[]> =>
  (await fleet.tokens(fleet.owner, count)).map((token) => `authorization: Bearer ${token}`)

/** Settings of the guarded client that let a fleet reach a receiver on loopback. */
export const loopbackAccess = (): Record<string, string> => ({
  OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
  OUTBOUND_CA_FILE: testAuthority().file,
})

/** Returns the certificate and key of a server on loopback that a fleet with `loopbackAccess` trusts. */
export function issueLoopbackIdentity(): { CERTIFICATE: string; KEY: string } {
  const { certificate, key } = testAuthority().issue({ names: ['localhost', '127.0.0.1'] })
  return { CERTIFICATE: certificate, KEY: key }
}

/** The receiver of webhooks, in a process of its own, and the URL of its paths. */
export interface WebhookReceiver extends HelperProcess {
  url(path: string): string
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const helper = await startHelper(join(import.meta.dirname, '../webhooks/receiver.ts'), issueLoopbackIdentity())
  const port = await helper.call<number>('port')
  return { ...helper, url: (path) => `https://127.0.0.1:${port}${path}` }
}

/** The arrivals at `/ok` of a receiver since the last call. */
export interface Arrivals {
  /** The `id` of each payload. */
  ids: string[]
  atMs: Float64Array
}

/** Waits for the arrivals of payloads at `/ok`, and returns the time of the first of each. An event may come twice. */
export async function collectArrivals(
  receiver: WebhookReceiver,
  expected: readonly string[],
  timeoutMs: number,
): Promise<Map<string, number>> {
  // Others may arrive, too: those of requests that were cut off by their time limit.
  const missing = new Set(expected)
  const arrivedMs = new Map<string, number>()
  const deadline = performance.now() + timeoutMs
  while (true) {
    const { ids, atMs } = await receiver.call<Arrivals>('takeArrivals')
    for (const [index, id] of ids.entries()) if (missing.delete(id)) arrivedMs.set(id, atMs[index] ?? Number.NaN)
    if (missing.size === 0 || performance.now() > deadline) return arrivedMs
    await pause(50)
  }
}

/** Returns `data` of a response. @throws Error if the request was not successful */
export async function requireOk(request: ReturnType<TestFleet['request']>) {
  const { status, body } = await request
  if (status < 200 || status > 299) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data
}
