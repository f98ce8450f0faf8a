import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import {
  neverRespond,
  type ReceivedRequest,
  type Receiver,
  resetConnection,
  respond,
  setTestQuota,
  startReceiver,
} from '@wp/testkit'
import type { DeliverySettings } from '../../src/context.ts'
import {
  createDestination,
  type DestinationBody,
  destination,
  readDestination,
  recordsOf,
} from '../fixture/destinations.ts'
import { type CallOptions, type Harness, startHarness } from '../fixture/harness.ts'

let harness: Harness
let receiver: Receiver
const settings: Partial<DeliverySettings> = {}
let created: { id: string; options?: CallOptions }[] = []
/** An address for each test, because a write of an earlier test may still be on its way. */
let path = ''

beforeAll(async () => {
  harness = await startHarness({}, { settings })
  receiver = await startReceiver()
})
beforeEach(() => {
  path = `/${newId('dest')}`
})
afterEach(async () => {
  for (const { id, options } of created) await harness.call('DELETE', `/destinations/${id}`, undefined, options)
  created = []
})
afterAll(async () => {
  await receiver?.close()
  await harness?.stop()
})

async function create(config: Record<string, unknown> = {}, body: Record<string, unknown> = {}): Promise<string> {
  const id = await createDestination(harness, { type: 'http', url: receiver.url(path), ...config }, body)
  created.push({ id })
  return id
}

const written = () => receiver.received.filter((request) => request.path === path).flatMap(recordsOf)
/** Creates an event destination in a workspace of its own, because the events about it are written to the others. */
async function createAlone() {
  const options = { workspaceId: newId('ws') }
  const id = await createDestination(harness, { type: 'http', url: receiver.url(path) }, { options })
  created.push({ id, options })
  return { id, options }
}

/** Returns the events about an event destination. */
async function noticesOf(id: string): Promise<[kind: string, data: object][]> {
  const { rows } = await harness.sql.query<{ kind: string; data: object }>(
    `SELECT kind, data FROM platform.outbox WHERE kind LIKE 'EVENT_DESTINATION_%' AND data->>'id' = $1 ORDER BY position`,
    [id],
  )
  return rows.map(({ kind, data }) => [kind, data])
}

const publish = async (count: number) => {
  const events = []
  for (let index = 0; index < count; index += 1) events.push(await harness.publish('RECOMMENDATION_CREATED'))
  return events.map((event) => event.id)
}

describe('an event destination', () => {
  it('gets the events in order, each with the next position', async () => {
    const id = await create()
    const { position } = await destination(harness, id, () => true)
    const events = await publish(60)
    await destination(harness, id, ({ health }) => health.written === 60)
    expect(written().map((record) => record.id)).toEqual(events)
    expect(written().map(({ seq }) => seq)).toEqual(events.map((_, index) => position + 1 + index))
    expect(written()[0]).toMatchObject({ event: 'RECOMMENDATION_CREATED', payload: { status: expect.any(String) } })
  })

  it.each([
    ['responds 500', respond(500), 'unavailable'],
    ['responds 429', respond(429, { headers: { 'retry-after': '0' } }), 'rate_limited'],
    ['responds 401', respond(401), 'unauthorized'],
    ['never responds', neverRespond(), 'timeout'],
    ['resets the connection', resetConnection(), 'reset'],
  ])('repeats the same batch, and nothing later before it, when the other side first %s', async (_, fault, code) => {
    const usual = settings.attemptTimeoutMs ?? 0
    if (code === 'timeout') settings.attemptTimeoutMs = 500
    const id = await create()
    const failed: ReceivedRequest[] = []
    const succeeded: ReceivedRequest[] = []
    let isFailing = true
    receiver.setResponder((context) => {
      const [requests, responder] = isFailing ? [failed, fault] : [succeeded, respond(200)]
      requests.push(context.request)
      return responder(context)
    }, path)
    const first = await publish(3)
    const { health } = await destination(harness, id, (body) => failed.length >= 2 && body.health.state === 'failing')
    expect(health.last_error).toMatchObject({ code })
    const second = await publish(3)
    settings.attemptTimeoutMs = usual
    isFailing = false
    const after = await destination(harness, id, (body) => body.health.written === 6)
    expect(after.health).toMatchObject({ state: 'healthy', last_error: null, lag: 0, skipped: 0 })
    const keys = [...failed, ...succeeded.slice(0, 1)].map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(1)
    // The last attempt with the short time limit may have been answered too late.
    expect([...new Set(succeeded.flatMap(recordsOf).map((record) => record.id))]).toEqual([...first, ...second])
  })

  it('gets only events of its kinds that pass its filter', async () => {
    const filter = { all: { status: { in: ['never'] } } }
    const id = await create({}, { events: ['RECOMMENDATION_CREATED'] })
    const filtered = await create({}, { filter })
    await harness.publish('FORECASTING_FINISHED')
    const [wanted] = await publish(1)
    await destination(harness, id, ({ health }) => health.written === 1)
    await destination(harness, filtered, ({ health }) => health.lag === 0)
    expect(written().map((record) => record.id)).toEqual([wanted])
  })

  it('goes on at its position when it is enabled again, and can be set back', async () => {
    const id = await create()
    await harness.call('PATCH', `/destinations/${id}`, { status: 'disabled' })
    const events = await publish(5)
    await destination(harness, id, ({ health }) => health.lag === 0 || health.lag === 5)
    expect(written()).toEqual([])
    await harness.call('PATCH', `/destinations/${id}`, { status: 'active' })
    const { position } = await destination(harness, id, ({ health }) => health.written === 5)
    const count = await harness.call('POST', `/destinations/${id}/replay`, { from_seq: position - 1, dry_run: true })
    expect(count.body.data).toMatchObject({ from_seq: position - 1, records: 2, is_shortened: false })
    expect(await destination(harness, id, () => true)).toMatchObject({ position, health: { lag: 0 } })
    const replay = await harness.call('POST', `/destinations/${id}/replay`, { from_seq: position - 1 })
    expect(replay.body.data).toMatchObject({ from_seq: position - 1, records: 2, is_shortened: false })
    await destination(harness, id, ({ health }) => health.written === 7)
    expect(written().map((record) => record.id)).toEqual([...events, ...events.slice(-2)])
    expect((await harness.call('POST', `/destinations/${id}/replay`, { from_seq: position + 2 })).status).toBe(400)
  })

  it('is disabled when the other side responds 410', async () => {
    const { id, options } = await createAlone()
    receiver.setResponder(respond(410), path)
    await harness.publish('RECOMMENDATION_CREATED', { workspace_id: options.workspaceId })
    const isGone = (body: DestinationBody) => body.status === 'disabled' && body.disabled_reason === 'gone'
    await destination(harness, id, isGone, options)
    expect(await noticesOf(id)).toMatchObject([
      ['EVENT_DESTINATION_DISABLED', { id, status: 'disabled', name: expect.any(String), reason: 'gone' }],
    ])
  })

  it('is written again after a short pause when its process was killed three times in a row', async () => {
    const id = await create()
    await harness.sql.query(
      `INSERT INTO platform.jobs (id, queue, workspace_id, exclusive, state, input, lease_token, lease_until, lost_leases)
       SELECT $1, 'event-destinations', workspace_id, $1, 'running', jsonb_build_object('destinationId', $1::text), 'killed', now(), 2
       FROM event_destinations WHERE destination_id = $1`,
      [id],
    )
    const events = await publish(3)
    await destination(harness, id, ({ health }) => health.written === 3)
    expect(written().map((record) => record.id)).toEqual(events)
    const { rows } = await harness.sql.query(`SELECT state FROM platform.jobs WHERE id = $1`, [id])
    expect(rows).toEqual([{ state: 'failed' }])
  })

  it('is written at most every five seconds when its schedule of short pauses is used up', async () => {
    const { id, options } = await createAlone()
    receiver.setResponder(respond(500), path)
    await harness.publish('RECOMMENDATION_CREATED', { workspace_id: options.workspaceId })
    await destination(harness, id, ({ health }) => health.consecutive_failures >= 4, options)
    const { rows } = await harness.sql.query<{ seconds: number }>(
      `SELECT extract(epoch FROM next_attempt_at - last_failure_at)::float8 AS seconds FROM event_destinations
       WHERE destination_id = $1`,
      [id],
    )
    expect(rows[0]?.seconds).toBeGreaterThanOrEqual(5)
  })

  it('is reported once when it has failed for a day, and again after three days', async () => {
    const { id, options } = await createAlone()
    receiver.setResponder(respond(500), path)
    await harness.publish('RECOMMENDATION_CREATED', { workspace_id: options.workspaceId })
    const failures = async (count: number) => {
      const before = await readDestination(harness, id, options)
      const expected = before.health.consecutive_failures + count
      await destination(harness, id, ({ health }) => health.consecutive_failures >= expected, options)
    }
    await failures(3)
    expect(await noticesOf(id)).toEqual([])
    const failing = [
      'EVENT_DESTINATION_FAILING',
      expect.objectContaining({ status: 'failing', error_code: 'unavailable' }),
    ]
    for (const [days, expected] of [
      [1, [failing]],
      [3, [failing, failing]],
    ] as const) {
      // Without failures, the pauses are short again.
      await harness.sql.query(
        `UPDATE event_destinations SET failing_since = last_failure_at - $2 * interval '1 day' + interval '1 millisecond',
           consecutive_failures = 0, next_attempt_at = now()
         WHERE destination_id = $1`,
        [id, days],
      )
      await failures(3)
      expect(await noticesOf(id)).toEqual(expected)
    }
  })

  it('leaves out a record that the other side refuses for its size, and writes the others', async () => {
    const id = await create()
    const events = await publish(1)
    await destination(harness, id, ({ health }) => health.written === 1)
    let refused = ''
    receiver.setResponder(({ request, response }) => {
      const records = recordsOf(request)
      refused ||= records[0]?.id ?? ''
      response.writeHead(records.some((record) => record.id === refused) ? 413 : 200).end()
    }, path)
    events.push(...(await publish(8)))
    await destination(harness, id, ({ health }) => health.lag === 0 && health.skipped === 1 && health.written === 8)
    expect(refused).toBe(events[1])
  })

  it('delays neither others of its workspace, nor those of others, nor webhooks, when ten hang', async () => {
    const options = { workspaceId: newId('ws') }
    await setTestQuota(harness.service.env.DATABASE_WORKER_URL, options.workspaceId, 'event_destinations', 11)
    const config = { type: 'http', url: receiver.url('/hangs') }
    receiver.setResponder(neverRespond(), '/hangs')
    const hanging: string[] = []
    for (let index = 0; index < 10; index += 1) hanging.push(await createDestination(harness, config, { options }))
    await harness.publish('RECOMMENDATION_CREATED', { workspace_id: options.workspaceId })
    await receiver.waitFor(({ path }) => path === '/hangs')
    const beside = await createDestination(harness, { type: 'http', url: receiver.url('/beside') }, { options })
    await harness.publish('RECOMMENDATION_CREATED', { workspace_id: options.workspaceId })
    const healthy = await destination(harness, beside, (body) => body.health.written === 1, options)
    expect(healthy.health).toMatchObject({ lag: 0, consecutive_failures: 0 })
    const id = await create()
    const webhookId = await harness.subscribe({ endpoint: receiver.url('/hook') })
    await publish(1)
    const { health } = await destination(harness, id, (body) => body.health.written === 1)
    expect(health.consecutive_failures).toBe(0)
    await harness.delivery(webhookId, ({ status }) => status === 'delivered')
    for (const each of [...hanging, beside]) await harness.call('DELETE', `/destinations/${each}`, undefined, options)
    await harness.call('DELETE', `/webhooks/${webhookId}`)
  })
})
