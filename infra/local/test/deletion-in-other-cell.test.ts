import { afterAll, beforeAll, expect, it } from '@jest/globals'
import {
  eventually,
  type Nats,
  startNats,
  startTestFleet,
  type TestDatabase,
  type TestFleet,
  type TestWorkspace,
} from '@wp/testkit'
import { Client } from 'pg'

/** Two cells, each with its own databases and broker; auth runs in the home cell. */
let fleet: TestFleet
let brokers: Nats[]
let doomed: TestWorkspace
let neighbour: TestWorkspace
beforeAll(async () => {
  brokers = await Promise.all([startNats(), startNats()])
  const [home, far] = brokers.map(({ url }) => url)
  fleet = await startTestFleet({
    natsUrl: home ?? '',
    cells: [{ shard: 'two', location: 'FAR', natsUrl: far ?? '' }],
    env: { auth: { WORKSPACE_DELETION_GRACE_DAYS: '0' } },
  })
  ;[doomed, neighbour] = await Promise.all([fleet.seed('doomed', 'two'), fleet.seed('neighbour', 'two')])
})
afterAll(async () => {
  await fleet?.stop()
  await Promise.all((brokers ?? []).map((broker) => broker.stop()))
})

/** Creates a source with records in the cell of a workspace. */
async function fill({ apiKey }: TestWorkspace): Promise<void> {
  const { body } = await fleet.request('POST', '/v1/data/sources', {
    as: apiKey,
    body: { name: 'rooms', provider: 'upload', config: {} },
  })
  const rows = Array.from({ length: 20 }, (_, row) => ({ room: `room ${row}` }))
  const path = `/v1/data/sources/${body.data.data_source_id}/records`
  expect((await fleet.request('POST', path, { as: apiKey, body: rows })).status).toBe(200)
}

/** Counts the rows of a workspace in every table with a column `workspace_id`, by table. */
async function countRows(databases: ReadonlyMap<string, TestDatabase>, workspaceId: string) {
  const counts: Record<string, number> = {}
  for (const [service, { adminUrl }] of databases) {
    const client = new Client({ connectionString: adminUrl })
    await client.connect()
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT table_schema || '.' || table_name AS name FROM information_schema.columns
       WHERE column_name = 'workspace_id' AND table_schema IN ('public', 'platform')`,
    )
    for (const { name } of tables) {
      const text = `SELECT count(*)::int AS n FROM ${name} WHERE workspace_id = $1`
      const { rows } = await client.query<{ n: number }>(text, [workspaceId])
      if (rows[0] !== undefined && rows[0].n > 0) counts[`${service} ${name}`] = rows[0].n
    }
    await client.end()
  }
  return counts
}

it('deletes a workspace of another cell there and from the global services, with a receipt', async () => {
  await Promise.all([fill(doomed), fill(neighbour)])
  const far = fleet.cells.get('two')?.databases ?? new Map<string, TestDatabase>()
  expect(await countRows(far, doomed.workspaceId)).toMatchObject({ 'data public.data_records': 20 })
  const neighbourBefore = (await countRows(far, neighbour.workspaceId))['data public.data_records']

  const user = await fleet.userToken(doomed.ownerId)
  const headers = { 'x-workspace-key': doomed.workspaceId }
  const path = `/v1/system/workspace?confirm=${doomed.workspaceId}`
  expect((await fleet.request('DELETE', path, { as: user, headers })).status).toBe(202)
  const receipt = await eventually(
    async () => {
      const { body } = await fleet.request('GET', `/v1/system/workspaces/${doomed.workspaceId}/deletion`, { as: user })
      return body.data.status === 'finished' && body.data
    },
    { description: 'the receipt', timeoutMs: 60_000 },
  )

  type Part = { service: string; deleted: Record<string, number>; retained: { table: string }[] }
  const parts: Part[] = receipt.services
  expect(parts.find(({ service }) => service === 'data')?.deleted).toMatchObject({ 'public.data_records': 20 })
  const retained = new Set(
    parts.flatMap(({ service, retained: tables }) => tables.map(({ table }) => `${service} ${table}`)),
  )
  // The edge reports calls in batches, which may arrive after a deletion without a settling time.
  const late = /^(billing public\.usage_|audit public\.request_)/
  for (const databases of [far, fleet.databases]) {
    const left = Object.keys(await countRows(databases, doomed.workspaceId))
    expect(left.filter((name) => !retained.has(name) && !late.test(name))).toEqual([])
  }
  expect((await countRows(far, neighbour.workspaceId))['data public.data_records']).toBe(neighbourBefore)
})
