import { randomUUID } from 'node:crypto'
import type { TestFleet, TestResponse } from '@wp/testkit'
import { eventually } from '@wp/testkit'

/** What the owner of a workspace has, made through the edge, for others to try to reach. */
export interface World {
  fleet: TestFleet
  /** Bearer tokens with every scope. */
  owner: string
  stranger: string
  /** Of signed-in users. */
  ownerUser: string
  strangerUser: string
  create(path: string, body: unknown): Promise<Record<string, string>>
  source(): Promise<string>
  sourceWithRecords(): Promise<string>
  sync(): Promise<string>
  record(): Promise<string>
  /** One whose address answers nothing, so that a test of it fails at once. */
  integration(): Promise<string>
  webhook(): Promise<string>
  /** A subscription whose receiver polls. */
  polled(): Promise<string>
  delivery(): Promise<string>
  settledDelivery(): Promise<string>
  /** One that waits: the fleet of these tests holds replays back. */
  replay(): Promise<string>
  key(): Promise<string>
  principal(): Promise<string>
  variable(): Promise<string>
  /** Another one of the owner's. */
  session(): Promise<string>
  /** Somebody who is invited. */
  user(): Promise<string>
  role(): Promise<string>
  /** One that nothing else has. */
  name(): string
  run(): Promise<string>
  recommendation(): Promise<string>
  log(): Promise<string>
}

/** Builds the world over a fleet. Each resource is made anew, so that a test may destroy it. */
export async function createWorld(fleet: TestFleet): Promise<World> {
  const [owner, stranger, ownerUser, strangerUser] = await Promise.all([
    fleet.token(fleet.owner),
    fleet.token(fleet.stranger),
    fleet.userToken(fleet.owner.ownerId),
    fleet.userToken(fleet.stranger.ownerId),
  ])
  let serial = 0
  function name(): string {
    serial += 1
    return `thing ${serial}`
  }

  async function create(path: string, body: unknown): Promise<Record<string, string>> {
    return expectSuccess(await fleet.request('POST', path, { as: owner, body })).body.data
  }
  const field = async (made: Promise<Record<string, string>>, key: string) => (await made)[key] ?? ''
  const source = () => field(create('/v1/data/sources', { name: name(), provider: 'upload' }), 'data_source_id')

  async function sourceWithRecords(): Promise<string> {
    const id = await source()
    const headers = { 'content-type': 'text/csv' }
    expectSuccess(
      await fleet.request('POST', `/v1/data/sources/${id}/records`, { as: owner, rawBody: 'a,b\n1,2\n', headers }),
    )
    return id
  }

  async function read(path: string) {
    return expectSuccess(await fleet.request('GET', path, { as: owner })).body.data
  }

  const world: World = {
    fleet,
    owner,
    stranger,
    ownerUser,
    strangerUser,
    create,
    source,
    sourceWithRecords,
    sync: async () => field(create(`/v1/data/sources/${await sourceWithRecords()}/sync/start`, undefined), 'id'),
    record: async () => (await read(`/v1/data/sources/${await sourceWithRecords()}/records`))[0].record_id,
    integration: () =>
      field(
        create('/v1/integrations/integrations', {
          provider: 'http',
          name: name(),
          config: { base_url: 'http://127.0.0.1:1024/' },
          secrets: { token: 'shhh' },
        }),
        'integration_id',
      ),
    webhook: () =>
      field(
        create('/v1/webhooks/webhooks', { endpoint: 'https://127.0.0.1:8443/', secret: 'shhh', events: ['*'] }),
        'webhook_id',
      ),
    polled: () => field(create('/v1/webhooks/webhooks', { delivery: 'poll', events: ['*'] }), 'webhook_id'),
    async delivery() {
      return field(create(`/v1/webhooks/webhooks/${await world.webhook()}/test`, undefined), 'request_id')
    },
    async settledDelivery() {
      const id = await world.delivery()
      await eventually(async () => (await read(`/v1/webhooks/deliveries/${id}`)).status === 'failed')
      return id
    },
    replay: async () => field(create(`/v1/webhooks/webhooks/${await world.webhook()}/replay`, replayBody()), 'id'),
    key: () => field(create('/v1/auth/api-key', { name: name() }), 'key_id'),
    principal: () =>
      field(create('/v1/auth/admin/service-principals', { name: name(), scopes: ['data:read'] }), 'client_id'),
    variable: () =>
      field(
        create('/v1/system/workspace/variables', {
          name: `NAME_${name().replace(' ', '_').toUpperCase()}`,
          value: 'x',
        }),
        'name',
      ),
    async session() {
      await fleet.userToken(fleet.owner.ownerId)
      const answer = await fleet.request('GET', '/v1/auth/sessions?limit=1', { as: ownerUser })
      return expectSuccess(answer).body.data[0].id
    },
    user: () => field(create('/v1/auth/admin/users', { email: newAddress(), role: 'member' }), 'user_id'),
    role: () => field(create('/v1/auth/admin/roles', { name: name(), scopes: ['data:read'] }), 'role_id'),
    name,
    run: () => field(create('/v1/solutions/workplace/forecast/runs', forecastBody()), 'id'),
    async recommendation() {
      const id = await world.run()
      await eventually(async () => (await read(`/v1/solutions/workplace/forecast/runs/${id}`)).status === 'finished', {
        timeoutMs: 20_000,
      })
      return (await read(`/v1/solutions/workplace/recommendations?forecast_run_id=${id}`))[0].id
    },
    // that the workspace was seeded is in it soon
    log: () => eventually(async () => (await read('/v1/audit/logs?limit=1'))[0]?.id ?? false),
  }
  return world
}

/** A mail address that nobody else has. */
export const newAddress = () => `${randomUUID()}@example.test`

/** The deliveries of an hour. */
export const replayBody = () => ({ since: '2026-01-05T09:00:00.000Z', until: '2026-01-05T10:00:00.000Z' })

/** Ten weeks of days, full but for Fridays: enough to forecast, and to recommend something. */
export function forecastBody() {
  const points = Array.from({ length: 70 }, (_, day) => {
    const ts = new Date(Date.UTC(2026, 0, 5 + day))
    const weekday = ts.getUTCDay()
    return { ts: ts.toISOString(), value: weekday === 5 ? 10 : weekday === 0 || weekday === 6 ? 0 : 100 + (day % 3) }
  })
  return { series: [{ key: { building: 'north' }, points }], frequency: 'day', timezone: 'UTC', horizon: 7 }
}

function expectSuccess(answer: TestResponse): TestResponse {
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}
