import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node'
import { type SignerName, signerNames } from '@wp/contracts'
import { inboxPrefix, streamName } from '@wp/events'
import { eventually, type Nats, runProgram, startNats, startTestFleet, type TestFleet } from '@wp/testkit'
import { consumersAt } from '../src/nats/permissions.ts'
import { brokerUserNames, passwordVariable, renderUsersConfig } from '../src/nats/users.ts'
import { brokerUsers } from '../src/network-access.ts'

const shard = `d${randomBytes(5).toString('hex')}`
const password = (user: string) => `pw-${user}`

/** Returns the users of a cell's broker, with passwords instead of variables. */
const configuration = () =>
  brokerUserNames.reduce(
    (text, user) => text.replaceAll(new RegExp(`\\$${passwordVariable(user)}(?=\\s)`, 'g'), `"${password(user)}"`),
    renderUsersConfig('SHARD').replaceAll('SHARD', shard),
  )

let nats: Nats
beforeAll(async () => {
  nats = await startNats({ configuration: configuration() })
  await prepareBroker()
})
afterAll(() => nats.stop())

/** Creates the stream and the consumers, as the init containers of the pods do. */
async function prepareBroker(): Promise<void> {
  const consumers = [...consumersAt(shard)].map(([name, filter]) => `${name}=${filter}`)
  const login = { NATS_USER: 'migrator', NATS_PASSWORD: password('migrator') }
  const env = { NATS_URL: nats.url, SHARD: shard, ...login }
  const { stdout } = await runProgram('infra/toolchain/broker.ts', consumers, env)
  expect(stdout).toBe(`stream and ${consumers.length} consumers of shard ${shard} exist\n`)
}

const violations = () =>
  readFileSync(join(nats.storeDir ?? '', 'server.log'), 'utf8')
    .split('\n')
    .filter((line) => / Violation /.test(line))

describe('a fleet on a broker with users', () => {
  let fleet: TestFleet
  let owner: string
  beforeAll(async () => {
    const login = (name: SignerName) => [name, { NATS_USER: name, NATS_PASSWORD: password(name) }] as const
    fleet = await startTestFleet({ natsUrl: nats.url, shard, env: Object.fromEntries(brokerUsers.map(login)) })
    owner = await fleet.token(fleet.owner)
  })
  afterAll(() => fleet?.stop())

  const create = async (path: string, body: unknown) => {
    const response = await fleet.request('POST', path, { as: owner, body })
    expect([path, response.status, response.body]).toEqual([
      path,
      expect.any(Number),
      expect.objectContaining({ success: true }),
    ])
    return response.body.data
  }

  it('records every service in the audit log and delivers events to subscriptions', async () => {
    const { webhook_id: polled } = await create('/v1/webhooks/webhooks', { delivery: 'poll', events: ['*'] })
    await create('/v1/data/sources', { name: 'doors', provider: 'upload' })
    await create('/v1/integrations/integrations', {
      provider: 'http',
      name: 'somewhere',
      config: { base_url: 'http://127.0.0.1:1024/' },
      secrets: { token: 'shhh' },
    })
    await create('/v1/system/workspace/variables', { name: 'DOORS', value: 'x' })
    await create('/v1/solutions/workplace/forecast/runs', forecast)
    await create('/v1/auth/api-key', { name: 'another' })
    const denied = await fleet.request('POST', '/v1/data/sources', { as: await readOnly(), body: {} })
    expect(denied.status).toBe(403)

    const wanted = [
      'webhook.created',
      'data_source.created',
      'integration.created',
      'workspace_variable.set',
      'forecast_run.started',
      'api_key.created',
      'request.denied',
    ]
    await eventually(
      async () => {
        const { body } = await fleet.request('GET', '/v1/audit/logs?limit=100', { as: owner })
        const found: string[] = body.data.map(({ action }: { action: string }) => action)
        return wanted.every((action) => found.includes(action))
      },
      { description: 'records of every service and of the edge' },
    )

    await eventually(
      async () => {
        const { body } = await fleet.request('GET', `/v1/webhooks/webhooks/${polled}/deliveries`, {
          as: owner,
        })
        return JSON.stringify(body).includes('API_KEY_CREATED')
      },
      { description: 'an event at its subscription' },
    )
  })

  it('sends invalidations to its gateways, which exchange rate limits', async () => {
    const edge = await fleet.addEdge()
    const { api_key: key, key_id: id } = await create('/v1/auth/api-key', { name: 'short-lived' })
    const through = (each: typeof edge | undefined) =>
      fleet.request('GET', '/v1/data/sources', { as: key, ...(each === undefined ? {} : { edge: each }) })
    for (const each of [undefined, edge]) expect((await through(each)).status).toBe(200)
    await fleet.request('DELETE', `/v1/auth/api-key/${id}`, { as: owner })
    // Cached for ten seconds; the invalidation arrives at once.
    await eventually(async () => (await through(edge)).status === 401)
    const metrics = async () => (await fetch(`${edge.adminUrl}/metrics`)).text()
    await eventually(async () => /^edge_peers\S* 1$/m.test(await metrics()), {
      description: 'the other edge as a peer',
    })
  })

  it('causes no permission violation', () => {
    expect(violations()).toEqual([])
  })

  async function readOnly(): Promise<string> {
    const { client_id, client_secret } = await create('/v1/auth/admin/service-principals', {
      name: 'reader',
      scopes: ['data:read'],
    })
    return fleet.token({ ...fleet.owner, clientId: client_id, clientSecret: client_secret })
  }
})

const forecast = {
  series: [
    {
      key: {},
      points: Array.from({ length: 21 * 24 }, (_, hour) => ({
        ts: new Date(Date.UTC(2026, 0, 5, hour)).toISOString(),
        value: 10 + (hour % 24),
      })),
    },
  ],
  frequency: 'hour',
  timezone: 'UTC',
  horizon: 24,
}

describe('a user of the broker', () => {
  const stream = streamName(shard)
  const others = signerNames.filter((name) => name !== 'data')
  let data: NatsConnection
  beforeAll(async () => {
    data = await as('data')
  })
  afterAll(() => data.close())

  const as = (user: string, pass = password(user)) =>
    connect({
      servers: nats.url,
      user,
      pass,
      inboxPrefix: inboxPrefix(user),
      maxReconnectAttempts: 0,
      noAsyncTraces: true,
    })

  /** Publishes a message. Returns true if the broker denies it. */
  async function deniesPublish(connection: NatsConnection, subject: string): Promise<boolean> {
    const before = violations().length
    connection.publish(subject, '{}')
    await connection.flush()
    return violations()
      .slice(before)
      .some((line) => line.includes(`Publish Violation`) && line.includes(`"${subject}"`))
  }

  /** Subscribes to a subject. Returns true if the broker denies it. */
  async function deniesSubscribe(connection: NatsConnection, subject: string): Promise<boolean> {
    const refused = Promise.withResolvers<boolean>()
    const subscription = connection.subscribe(subject, {
      callback: (error) => refused.resolve(error instanceof PermissionViolationError),
    })
    await connection.flush()
    // The broker sends the denial before the response to the flush.
    setImmediate(() => refused.resolve(false))
    const outcome = await refused.promise
    subscription.unsubscribe()
    return outcome
  }

  it('needs a name and a password', async () => {
    await expect(connect({ servers: nats.url, maxReconnectAttempts: 0 })).rejects.toThrow(/[Aa]uthorization/)
    await expect(as('data', 'guessed')).rejects.toThrow(/[Aa]uthorization/)
    await expect(as('unknown')).rejects.toThrow(/[Aa]uthorization/)
  })

  it('may publish its own events and subscribe to its own wake messages', async () => {
    expect(await deniesPublish(data, `events.${shard}.data.DATA_SYNC_FINISHED.ws_1`)).toBe(false)
    expect(await deniesPublish(data, `wake.${shard}.data.sync`)).toBe(false)
    expect(await deniesSubscribe(data, `wake.${shard}.data.*`)).toBe(false)
  })

  it.each(others)('may not publish or subscribe as %s', async (other) => {
    const published = [
      `events.${shard}.${other}.AUDIT_RECORDED.ws_1`,
      `wake.${shard}.${other}.outbox`,
      `${inboxPrefix(other)}.x`,
    ]
    for (const subject of published) expect([subject, await deniesPublish(data, subject)]).toEqual([subject, true])
    const subscribed = [`wake.${shard}.${other}.outbox`, `wake.${shard}.${other}.>`, `${inboxPrefix(other)}.>`]
    for (const subject of subscribed) expect([subject, await deniesSubscribe(data, subject)]).toEqual([subject, true])
  })

  it('may not subscribe with a wildcard, nor to events outside its consumer', async () => {
    for (const subject of [
      '>',
      '*.>',
      'wake.>',
      `wake.${shard}.*.sync`,
      'events.>',
      '_INBOX.>',
      '$JS.ACK.>',
      '$SYS.>',
      'invalidate.identities',
      `identities.${shard}`,
      `limits.${shard}`,
    ])
      expect([subject, await deniesSubscribe(data, subject)]).toEqual([subject, true])
  })

  it('may not change streams, nor use consumers other than its own with its own filter', async () => {
    const own = 'data_embedding'
    const subjects = [
      `$JS.API.STREAM.UPDATE.${stream}`,
      `$JS.API.STREAM.DELETE.${stream}`,
      `$JS.API.STREAM.PURGE.${stream}`,
      `$JS.API.STREAM.MSG.GET.${stream}`,
      `$JS.API.STREAM.MSG.DELETE.${stream}`,
      `$JS.API.DIRECT.GET.${stream}`,
      `$JS.API.STREAM.CREATE.${stream}`,
      '$JS.API.STREAM.CREATE.OTHER',
      '$JS.API.STREAM.NAMES',
      `$JS.API.CONSUMER.CREATE.${stream}`,
      `$JS.API.CONSUMER.CREATE.${stream}.${own}`,
      `$JS.API.CONSUMER.CREATE.${stream}.${own}.events.${shard}.integrations.>`,
      `$JS.API.CONSUMER.CREATE.${stream}.${own}.events.${shard}.>`,
      `$JS.API.CONSUMER.CREATE.${stream}.${own}.events.${shard}.auth.>`,
      `$JS.API.CONSUMER.CREATE.${stream}.audit_log.events.${shard}.integrations.>`,
      `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${own}`,
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.audit_log`,
      `$JS.API.CONSUMER.DELETE.${stream}.audit_log`,
      `$JS.ACK.${stream}.audit_log.1.1.1.1.1`,
      'invalidate.identities',
      `identities.${shard}`,
      `limits.${shard}`,
    ]
    for (const subject of subjects) expect([subject, await deniesPublish(data, subject)]).toEqual([subject, true])
  })

  it.each(['webhook-delivery', 'audit', 'data'])(
    '%s may not have the broker deliver to subjects of others',
    async (user) => {
      const connection = await as(user)
      const gateway = await as('gateway')
      const received: string[] = []
      for (const subject of ['invalidate.identities', `limits.${shard}`])
        gateway.subscribe(subject, { callback: (_error, message) => void received.push(message.subject) })
      await gateway.flush()
      connection.publish(`events.${shard}.${user}.AUDIT_RECORDED.ws_1`, JSON.stringify({ forged: true }))
      await connection.flush()
      for (const [name, filter] of consumersAt(shard)) {
        const subject = `$JS.API.CONSUMER.CREATE.${stream}.${name}.${filter}`
        const push = { durable_name: name, filter_subject: filter, ack_policy: 'none', deliver_policy: 'all' }
        for (const deliver_subject of ['invalidate.identities', `limits.${shard}`]) {
          const config = { ...push, deliver_subject }
          const request = connection.request(subject, JSON.stringify({ stream_name: stream, config }))
          await expect(request).rejects.toThrow(/Permissions Violation/)
        }
        // a consumer that is idle for this time is deleted, and could then be created again
        const expiring = { ...push, ack_policy: 'explicit', inactive_threshold: 1_000_000 }
        const update = connection.request(subject, JSON.stringify({ stream_name: stream, config: expiring }))
        await expect(update).rejects.toThrow(/Permissions Violation/)
      }
      await gateway.flush()
      expect(received).toEqual([])
      await Promise.all([connection.close(), gateway.close()])
    },
  )

  it('gets an error, as the migrator, for a request whose filter differs from the one in the subject', async () => {
    const subject = `$JS.API.CONSUMER.CREATE.${stream}.data_embedding.events.${shard}.integrations.>`
    const config = { durable_name: 'data_embedding', filter_subject: `events.${shard}.>`, ack_policy: 'explicit' }
    const migrator = await as('migrator')
    const response = await migrator.request(subject, JSON.stringify({ stream_name: stream, config }))
    expect(response.json()).toEqual(expect.objectContaining({ error: expect.objectContaining({ code: 400 }) }))
    await migrator.close()
  })
})
