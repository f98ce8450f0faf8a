import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '@wp/database'
import { readProcessInfo, startTestFleet, startTestServers, type TestFleet, type TestServers } from '@wp/testkit'
import { Client } from 'pg'
import { type MeteredProcess, meteredProcess } from './process-usage.ts'

/** The options of a test fleet, and `isDurable` for servers whose commits wait for the disk. */
export type FleetOptions = Parameters<typeof startTestFleet>[0] & { isDurable?: boolean }

/** Runs work with PostgreSQL, NATS and a fleet of processes, and stops them all. */
export async function withFleet<Result>(
  { isDurable = false, ...options }: FleetOptions,
  work: (fleet: TestFleet, servers: TestServers) => Promise<Result>,
): Promise<Result> {
  // Each process of the fleet is stopped when this one exits.
  process.setMaxListeners(60)
  const folder = isDurable ? mkdtempSync(join(tmpdir(), 'wp-bench-')) : undefined
  const servers = await startTestServers(folder)
  try {
    const fleet = await startTestFleet({ processes: 'all', ...options })
    try {
      return await work(fleet, servers)
    } finally {
      await fleet.stop()
    }
  } finally {
    await servers.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true })
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
    client.query(
      `UPDATE workspaces SET credential_per_minute = 1000000000, workspace_per_minute = ${workspacePerMinute}`,
    ),
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

/** Returns `data` of a response. @throws Error if the request was not successful */
export async function requireOk(request: ReturnType<TestFleet['request']>) {
  const { status, body } = await request
  if (status < 200 || status > 299) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data
}
