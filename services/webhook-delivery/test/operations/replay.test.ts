import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually, startReceiver, startTestFleet, testAuthority } from '@wp/testkit'
import { Pool } from 'pg'

const fleet = await startTestFleet({
  processes: ['webhook-delivery'],
  services: ['auth', 'webhook-delivery'],
  outbound: { OUTBOUND_CA_FILE: testAuthority().file },
  env: { 'webhook-delivery': { ATTEMPT_TIMEOUT_SECONDS: '60', LEASE_SECONDS: '120' } },
})
const receiver = await startReceiver()
const sql = new Pool({ connectionString: fleet.databases.get('webhook-delivery')?.workerUrl, max: 2 })
const as = await fleet.token(fleet.owner)

afterAll(async () => {
  await receiver.close()
  await sql.end()
  await fleet.stop()
})

const send = (method: string, path: string, body?: unknown) =>
  fleet.request(method, `/v1/webhooks${path}`, { as, ...(body === undefined ? {} : { body }) })
async function replay(id: string) {
  const { status, body } = await send('GET', `/replays/${id}`)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data
}
const untilEnded = (id: string) =>
  eventually(
    async () => {
      const found = await replay(id)
      return ['queued', 'running'].includes(found.status) ? undefined : found
    },
    { description: 'the end of the replay' },
  )

async function subscribe(path: string): Promise<string> {
  const response = await send('POST', '/webhooks', {
    endpoint: receiver.url(path),
    events: ['RECOMMENDATION_CREATED'],
    secret: 's',
  })
  return response.body.data.webhook_id
}

/** Adds deliveries that ended an hour ago. */
async function addHistory(webhookId: string, count: number, status: string): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('dlv'))
  await sql.query(
    `INSERT INTO deliveries (request_id, workspace_id, webhook_id, event_id, event_kind, body, status, occurred_at,
       created_at, attempt_count)
     SELECT id, $1, $2, 'evt' || substr(id, 4), 'RECOMMENDATION_CREATED', convert_to('{"request_id":"' || id || '"}', 'UTF8'),
       $4, now(), now() - interval '1 hour' + n * interval '1 millisecond', 2
     FROM unnest($3::text[]) WITH ORDINALITY AS t (id, n)`,
    [fleet.owner.workspaceId, webhookId, ids, status],
  )
  return ids
}

const range = (more: object = {}) => ({
  since: new Date(Date.now() - 7_200_000).toISOString(),
  until: new Date(Date.now() - 60_000).toISOString(),
  ...more,
})
const requestsTo = (path: string) => receiver.received.filter((request) => request.path === path)

describe('a replay', () => {
  it('resends only deliveries that pass the current filter', async () => {
    const id = await subscribe('/replayed')
    const ids = await addHistory(id, 45, 'failed')
    const passing = ids.filter((_, index) => index % 2 === 0)
    await sql.query(
      `UPDATE deliveries SET body = convert_to(json_build_object('event', event_kind, 'request_id', request_id,
         'payload', json_build_object('kind', CASE WHEN request_id = ANY ($2) THEN 'lease' END))::text, 'UTF8')
       WHERE webhook_id = $1`,
      [id, passing],
    )
    await send('PATCH', `/webhooks/${id}`, { filter: { all: { kind: 'lease' } } })
    const { body } = await send('POST', `/webhooks/${id}/replay`, range())
    const done = await untilEnded(body.data.id)
    expect(done).toMatchObject({ status: 'finished', counts: { matched: 45, enqueued: passing.length } })
    await eventually(() => requestsTo('/replayed').length === passing.length)
    expect(
      requestsTo('/replayed')
        .map(({ body }) => JSON.parse(body.toString()).request_id)
        .sort(),
    ).toEqual(passing.toSorted())
  })

  it('resends failed and skipped deliveries: the same bytes and request ids, as further attempts', async () => {
    const id = await subscribe('/mixed')
    const [failed, skipped, delivered] = [
      await addHistory(id, 3, 'failed'),
      await addHistory(id, 2, 'skipped'),
      await addHistory(id, 2, 'delivered'),
    ]
    const begun = await send('POST', `/webhooks/${id}/replay`, range())
    expect(begun).toMatchObject({
      status: 202,
      body: { data: { webhook_id: id, delivery_status: ['failed', 'skipped'], counts: { matched: 0, enqueued: 0 } } },
    })
    const { id: replayId } = begun.body.data
    expect(begun.headers.get('location')).toBe(`${fleet.baseUrl}/v1/webhooks/replays/${replayId}`)
    expect(await untilEnded(replayId)).toMatchObject({
      status: 'finished',
      progress: 1,
      counts: { matched: 5, enqueued: 5 },
    })
    const isDelivered = `SELECT count(*)::int AS count FROM deliveries WHERE webhook_id = $1 AND status = 'delivered'`
    await eventually(async () => (await sql.query(isDelivered, [id])).rows[0].count === 7)
    for (const { headers, body } of requestsTo('/mixed')) {
      const requestId = headers['x-webhook-request-id']
      expect([...failed, ...skipped]).toContain(requestId)
      expect(JSON.parse(body.toString())).toEqual({ request_id: requestId })
      expect(headers['x-webhook-attempt']).toBe('3')
    }
    const only = await send('POST', `/webhooks/${id}/replay`, range({ status: 'delivered' }))
    expect(await untilEnded(only.body.data.id)).toMatchObject({
      status: 'finished',
      error: null,
      counts: { matched: 7, enqueued: 7 },
    })
    await eventually(() =>
      delivered.every((each) => requestsTo('/mixed').some(({ headers }) => headers['webhook-id'] === each)),
    )
    const { rows } = await sql.query('SELECT delivered_count, failed_count FROM endpoints WHERE webhook_id = $1', [id])
    expect(rows[0].failed_count).toBe(-3) // the history was added without the counters
  })

  it('is refused when the range or status is invalid, or the subscription is disabled', async () => {
    const id = await subscribe('/refused')
    const backwards = { since: range().until, until: range().since }
    expect((await send('POST', `/webhooks/${id}/replay`, backwards)).body.errors).toEqual([
      { pointer: '/until', detail: 'must be after since' },
    ])
    const wrong = await send('POST', `/webhooks/${id}/replay`, range({ status: 'pending' }))
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ pointer: '/status' }] } })
    await send('PATCH', `/webhooks/${id}`, { status: 'disabled' })
    expect((await send('POST', `/webhooks/${id}/replay`, range())).body).toMatchObject({
      code: 'conflict',
      detail: 'The subscription is disabled; enable it first',
    })
    expect((await send('GET', '/replays/rpl_01h455vb4pex5vsknk084sn02q')).status).toBe(404)
  })

  it('runs once at a time, waits while the receiver has a backlog, and can be cancelled', async () => {
    const id = await subscribe('/behind')
    await addHistory(id, 1_200, 'skipped')
    receiver.holdResponses()
    const first = await send('POST', `/webhooks/${id}/replay`, range())
    const { id: replayId } = first.body.data
    await eventually(async () => (await replay(replayId)).counts.enqueued === 1_000)
    expect((await send('POST', `/webhooks/${id}/replay`, range())).status).toBe(409)
    const cancelled = await send('POST', `/replays/${replayId}/cancel`)
    expect(cancelled.body.data).toMatchObject({ status: 'cancelled', counts: { matched: 1_000, enqueued: 1_000 } })
    expect(cancelled.body.data.progress).toBeGreaterThan(0)
    await send('DELETE', `/webhooks/${id}`)
    receiver.releaseResponses()
    const { rows } = await sql.query(`SELECT status, count(*)::int FROM deliveries WHERE webhook_id = $1 GROUP BY 1`, [
      id,
    ])
    expect(rows.find(({ status }) => status === 'skipped')).toMatchObject({ count: 200 })
  })

  it('continues from its last batch when its worker was killed', async () => {
    const id = await subscribe('/killed')
    const ids = await addHistory(id, 600, 'failed')
    receiver.holdResponses()
    const { body } = await send('POST', `/webhooks/${id}/replay`, range())
    const { id: replayId } = body.data
    await eventually(async () => (await replay(replayId)).counts.enqueued >= 400)
    await fleet.member('webhook-delivery').kill()
    receiver.releaseResponses()
    await fleet.restart('webhook-delivery')
    // As if the leases of the job and of the deliveries in flight had expired.
    await sql.query('UPDATE platform.jobs SET lease_until = now() WHERE id = $1 AND lease_until > now()', [replayId])
    await sql.query('UPDATE deliveries SET next_attempt_at = now() WHERE webhook_id = $1 AND lease_token IS NOT NULL', [
      id,
    ])
    await sql.query('UPDATE endpoints SET saturated_until = NULL, next_due_at = now() WHERE webhook_id = $1', [id])
    expect(await untilEnded(replayId)).toMatchObject({
      status: 'finished',
      counts: { matched: 600, enqueued: 600 },
    })
    await eventually(() => new Set(requestsTo('/killed').map(({ headers }) => headers['webhook-id'])).size === 600)
    expect(new Set(requestsTo('/killed').map(({ headers }) => headers['webhook-id']))).toEqual(new Set(ids))
  })
})

describe('a replay of a customer', () => {
  it('runs in the name of the portal link and sends the kinds that the link offers', async () => {
    const openPortal = async (events: string[]) => {
      const { url } = (await send('POST', '/portal-links', { customer_id: 'acme', events })).body.data
      return new URL(url).hash.slice(1)
    }
    const body = { endpoint: receiver.url('/customer'), events: ['RECOMMENDATION_CREATED'], secret: 's' }
    const key = await openPortal(['RECOMMENDATION_CREATED'])
    const created = await fleet.request('POST', '/v1/webhooks/webhooks', { as: key, body })
    const webhookId = created.body.data.webhook_id
    await addHistory(webhookId, 3, 'failed')
    const replayAs = async (by: string) => {
      const path = `/v1/webhooks/webhooks/${webhookId}/replay`
      return untilEnded((await fleet.request('POST', path, { as: by, body: range() })).body.data.id)
    }
    const other = await openPortal(['DATA_SYNC_FINISHED'])
    expect(await replayAs(other)).toMatchObject({ status: 'finished', counts: { matched: 0 } })
    expect(await replayAs(key)).toMatchObject({ status: 'finished', counts: { matched: 3, enqueued: 3 } })
    await eventually(() => requestsTo('/customer').length === 3)
  })
})
