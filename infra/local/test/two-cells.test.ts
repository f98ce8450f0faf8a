import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connectBus, streamName } from '@wp/events'
import {
  eventually as eventuallyIn,
  type Nats,
  type Receiver,
  startNats,
  startReceiver,
  startTestFleet,
  type TestFleet,
  type TestWorkspace,
  testAuthority,
} from '@wp/testkit'
import { Client } from 'pg'
import { itDeletesInOtherCell } from './deletion/deletion-in-other-cell.ts'

/**
 * Two cells, each with its own databases, encryption key and broker. The home cell has the global services and the
 * edge.
 */
let fleet: TestFleet
let brokers: { home: Nats; two: Nats }
let receiver: Receiver
let one: TestWorkspace
let two: TestWorkspace
beforeAll(async () => {
  const [home, far, listening] = await Promise.all([startNats(), startNats(), startReceiver()])
  brokers = { home, two: far }
  receiver = listening
  fleet = await startTestFleet({
    natsUrl: home.url,
    cells: [{ shard: 'two', location: 'FAR', natsUrl: far.url }],
    env: { auth: { OPEN_SHARDS: 'two:FAR', WORKSPACE_DELETION_GRACE_DAYS: '0' } },
    outbound: { OUTBOUND_CA_FILE: testAuthority().file },
  })
  one = fleet.owner
  two = await fleet.seed('far', 'two')
})
afterAll(async () => {
  await fleet?.stop()
  await receiver?.close()
  await Promise.all([brokers?.home.stop(), brokers?.two.stop()])
})

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
type ResponseData = any

const eventually = <T>(condition: () => Promise<T> | T) => eventuallyIn(condition)

/** Sends a request with the workspace's API key and returns `data`. @throws Error if it fails */
async function send(
  { apiKey }: Pick<TestWorkspace, 'apiKey'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<ResponseData> {
  const response = await fleet.request(method, path, { as: apiKey, ...(body === undefined ? {} : { body }) })
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body.data
}

type Cell = 'home' | 'two'
const databasesOf = (cell: Cell) => (cell === 'home' ? fleet.databases : fleet.cells.get(cell)?.databases)

/** Runs SQL as superuser in the database of a service in a cell. */
async function query<Row extends object>(cell: Cell, service: string, text: string, values: unknown[] = []) {
  const client = new Client({ connectionString: databasesOf(cell)?.get(service)?.adminUrl })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Counts the rows of a workspace in a table, by cell. */
async function countIn(service: string, table: string, { workspaceId }: Pick<TestWorkspace, 'workspaceId'>) {
  const text = `SELECT count(*)::integer AS count FROM ${table} WHERE workspace_id = $1`
  const count = async (cell: Cell) =>
    (await query<{ count: number }>(cell, service, text, [workspaceId]))[0]?.count ?? Number.NaN
  return { home: await count('home'), two: await count('two') }
}

/** Returns the workspaces of the events that a cell's broker stores. */
async function workspacesOn(cell: Cell): Promise<string[]> {
  const { SHARD: home = '' } = fleet.env('auth')
  const shard = cell === 'home' ? home : cell
  const bus = await connectBus({ servers: brokers[cell].url, name: 'test', shard, log: { warn() {}, error() {} } })
  try {
    await eventually(() => bus.isConnected)
    const { streams } = bus.jetstream.broker().manager
    const { state } = await streams.info(streamName(shard), { subjects_filter: '>' })
    const subjects = Object.keys(state.subjects ?? {})
    return [...new Set(subjects.map((subject) => subject.split('.').at(-1) ?? ''))]
  } finally {
    await bus.close()
  }
}

const source = (name: string) => ({ name, provider: 'upload' })

describe('an API key of each cell', () => {
  it('names the cell of its workspace', () => {
    expect(one.apiKey).toMatch(new RegExp(`^key_${fleet.env('auth').SHARD}\\.TST\\.${one.workspaceId}\\.`))
    expect(two.apiKey).toMatch(new RegExp(`^key_two\\.FAR\\.${two.workspaceId}\\.`))
  })

  it('reaches the services of its cell, which store data in that cell', async () => {
    await Promise.all([one, two].map((workspace) => send(workspace, 'POST', '/v1/data/sources', source('Doors'))))
    expect(await countIn('data', 'data_sources', one)).toEqual({ home: 1, two: 0 })
    expect(await countIn('data', 'data_sources', two)).toEqual({ home: 0, two: 1 })
  })

  it('cannot reach the other cell: 404 for a resource, 401 for a key with the other cell, 403 for a workspace', async () => {
    const ours = await send(one, 'POST', '/v1/data/sources', source('Ours'))
    const theirs = await send(two, 'POST', '/v1/data/sources', source('Theirs'))
    const read = async (workspace: TestWorkspace, id: string) =>
      (await fleet.request('GET', `/v1/data/sources/${id}`, { as: workspace.apiKey })).status
    expect(await read(one, ours.data_source_id)).toBe(200)
    expect(await read(two, theirs.data_source_id)).toBe(200)
    expect(await read(one, theirs.data_source_id)).toBe(404)
    expect(await read(two, ours.data_source_id)).toBe(404)

    const moved = one.apiKey.replace(/^key_[^.]+\.TST/, 'key_two.FAR')
    expect((await fleet.request('GET', '/v1/data/sources', { as: moved })).status).toBe(401)
    const headers = { 'x-workspace-key': one.workspaceId }
    expect((await fleet.request('GET', '/v1/data/sources', { as: two.apiKey, headers })).status).toBe(403)
  })

  it('has the same access as a token of its workspace', async () => {
    const response = await fleet.request('GET', '/v1/data/sources', { as: await fleet.token(two) })
    expect(response.body.data.map(({ name }: { name: string }) => name).sort()).toEqual(['Doors', 'Theirs'])
  })

  it('is rejected soon after it is revoked', async () => {
    const token = await fleet.token(two)
    const { key_id, api_key } = (await fleet.request('POST', '/v1/auth/api-key', { as: token, body: {} })).body.data
    const status = async () => (await fleet.request('GET', '/v1/data/sources', { as: api_key })).status
    expect(await status()).toBe(200)
    await fleet.request('DELETE', `/v1/auth/api-key/${key_id}`, { as: token })
    await eventually(async () => (await status()) === 401)
  })
})

describe('an event', () => {
  it('is delivered to the webhooks of its cell, from a global service as from a service of the cell', async () => {
    const kinds = ['API_KEY_CREATED', 'FORECASTING_FINISHED']
    const subscribe = (workspace: TestWorkspace, path: string) =>
      send(workspace, 'POST', '/v1/webhooks/webhooks', {
        endpoint: receiver.url(path),
        events: kinds,
        secret: 'a secret',
      })
    await Promise.all([subscribe(one, '/one'), subscribe(two, '/two')])

    const emitEvents = async (workspace: TestWorkspace) => {
      const as = await fleet.token(workspace)
      const made = await fleet.request('POST', '/v1/auth/api-key', { as, body: {} })
      const run = await send(workspace, 'POST', '/v1/solutions/workplace/forecast/runs', forecast)
      return [made.body.data.key_id, run.id]
    }
    const [ours, theirs] = await Promise.all([emitEvents(one), emitEvents(two)])
    const told = (path: string): string[] =>
      receiver.received
        .filter((request) => request.path === path)
        .map(({ body }) => JSON.parse(body.toString()).payload.id)
    await eventually(() => told('/one').length >= 2 && told('/two').length >= 2)
    expect([told('/one').sort(), told('/two').sort()]).toEqual([ours.sort(), theirs.sort()])
    expect(await countIn('webhook-delivery', 'deliveries', one)).toEqual({ home: 2, two: 0 })
    expect(await countIn('webhook-delivery', 'deliveries', two)).toEqual({ home: 0, two: 2 })
  })

  it('is recorded in the audit log of its cell, from every service and from the edge', async () => {
    await send(two, 'POST', '/v1/system/workspace/variables', { name: 'REGION', value: 'far' })
    const narrow = await fleet.token(two, 'audit:read')
    await fleet.request('GET', '/v1/system/workspace', { as: narrow })
    const wanted = ['workspace.seeded', 'data_source.created', 'workspace_variable.set', 'request.denied']
    const logged = async (): Promise<string[]> =>
      (await fleet.request('GET', '/v1/audit/logs?limit=100', { as: narrow })).body.data.map(
        ({ action }: { action: string }) => action,
      )
    await eventually(async () => {
      const found = new Set(await logged())
      return wanted.every((action) => found.has(action))
    })
    const { body } = await fleet.request('GET', '/v1/audit/logs/verify', { as: narrow })
    expect(body.data).toMatchObject({ status: 'ok' })
    expect((await countIn('audit', 'audit_records', two)).home).toBe(0)
    expect((await countIn('audit', 'audit_records', one)).two).toBe(0)
  })

  it('is stored by the broker of its cell only', async () => {
    const [here, there] = [await workspacesOn('home'), await workspacesOn('two')]
    expect([here.includes(one.workspaceId), here.includes(two.workspaceId)]).toEqual([true, false])
    expect(there).toEqual([two.workspaceId])
  })
})

describe('a user with workspaces in both cells', () => {
  it('creates a workspace in the open cell and works in both through one edge', async () => {
    const as = await fleet.userToken(one.ownerId)
    const made = await fleet.request('POST', '/v1/system/workspaces', { as, body: { name: 'Far away' } })
    expect(made.status).toBe(201)
    const workspaceId: string = made.body.data.workspace_id
    const create = (workspace: string) => {
      const headers = { 'x-workspace-key': workspace }
      return fleet.request('POST', '/v1/data/sources', { as, headers, body: source('Of a user') })
    }
    const before = await countIn('data', 'data_sources', one)
    expect((await create(workspaceId)).status).toBe(201)
    expect((await create(one.workspaceId)).status).toBe(201)
    expect(await countIn('data', 'data_sources', { workspaceId })).toEqual({ home: 0, two: 1 })
    expect(await countIn('data', 'data_sources', one)).toEqual({ home: before.home + 1, two: 0 })
    const actions = async () => {
      const headers = { 'x-workspace-key': workspaceId }
      const { body } = await fleet.request('GET', '/v1/audit/logs', { as, headers })
      return body.data.map(({ action }: { action: string }) => action).sort()
    }
    await eventually(async () => `${await actions()}` === 'data_source.created,workspace.created')
  })
})

// After the events of the cells were counted.
describe('the home cell', () => itDeletesInOtherCell(() => fleet))

describe('the health of the platform', () => {
  const health = async () => (await fleet.request('GET', '/v1/system/health')).body.data
  const statusByService = ({ services }: { services: Record<string, string>[] }) =>
    Object.fromEntries(services.map(({ name, shard, status }) => [`${name} ${shard}`, status]))

  it('covers both cells, and a service that is down in one cell does not affect the other', async () => {
    const home = fleet.env('auth').SHARD
    const healthy = await eventually(async () => {
      const report = await health()
      return report.status === 'ok' && statusByService(report)
    })
    expect(healthy).toMatchObject({
      [`auth ${home}`]: 'ok',
      [`data ${home}`]: 'ok',
      'data two': 'ok',
      'audit two': 'ok',
    })
    expect(healthy).not.toHaveProperty('auth two')

    await fleet.cells.get('two')?.fleet.member('data').stop()
    const wanted = { ...healthy, 'data two': 'down' }
    await eventually(async () => isDeepStrictEqual(statusByService(await health()), wanted))
    const status = async ({ apiKey }: TestWorkspace) =>
      (await fleet.request('GET', '/v1/data/sources', { as: apiKey })).status
    expect([await status(one), await status(two)]).toEqual([200, 503])
  })
})

/** A forecast request with ten weeks of daily values. */
const forecast = {
  series: [
    {
      key: { desk: '1' },
      points: Array.from({ length: 70 }, (_, day) => ({
        ts: new Date(Date.UTC(2026, 0, 5 + day)).toISOString().slice(0, 10),
        value: day % 7 < 5 ? 100 + (day % 3) : 80,
      })),
    },
  ],
  frequency: 'day',
  timezone: 'UTC',
  horizon: 7,
}
