import { afterAll, describe, expect, it } from '@jest/globals'
import { maxSubscriptionsPerCustomer } from '@wp/contracts'
import { newId } from '@wp/database'
import { eventually, startReceiver, type TestResponse } from '@wp/testkit'
import { Pool } from 'pg'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness()
const receiver = await startReceiver()
afterAll(async () => {
  await harness.stop()
  await receiver.close()
})

type Call = (method: string, path: string, body?: unknown) => Promise<TestResponse>

/** Stores a portal link and returns a function that sends requests as its customer. */
async function openPortal(customerId: string, { events = ['*'], filter = null as object | null } = {}): Promise<Call> {
  const linkId = newId('plink')
  await harness.sql.query(
    `INSERT INTO portal_links (portal_link_id, workspace_id, customer_id, events, filter, can_write, frame_origins, theme,
       created_by, expires_at) VALUES ($1, $2, $3, $4, $5, true, '{}', '{}', 'usr', now() + interval '1 hour')`,
    [linkId, harness.service.caller.workspaceId, customerId, events, filter && JSON.stringify(filter)],
  )
  return (method, path, body) =>
    harness.service.request(method, `/v1/webhooks${path}`, {
      caller: { principal: { id: linkId, type: 'portal_link' }, credentialId: newId('akey'), customerId },
      ...(body === undefined ? {} : { body }),
    })
}

const newWebhook = (more: object = {}) => ({
  endpoint: receiver.url(),
  events: ['*'],
  secret: 'a long secret 123',
  ...more,
})

async function create(call: Call, more: object = {}): Promise<string> {
  const response = await call('POST', '/webhooks', newWebhook(more))
  expect(response).toMatchObject({ status: 201 })
  return response.body.data.webhook_id
}

describe('event kinds in the portal', () => {
  it('are those that the link offers: in the catalogue, in a new webhook and in a changed one', async () => {
    const call = await openPortal('kinds', { events: ['DATA_SYNC_FINISHED', 'DATA_SYNC_FAILED'] })
    const listed = (await call('GET', '/events?limit=1')).body
    expect([listed.data[0].kind, listed.pagination.has_more]).toEqual(['DATA_SYNC_FAILED', true])
    const next = (await call('GET', `/events?limit=5&cursor=${listed.pagination.next_cursor}`)).body
    expect(next.data.map(({ kind }: { kind: string }) => kind)).toEqual(['DATA_SYNC_FINISHED'])

    const refused = { status: 400, body: { code: 'unknown_event_kind', errors: [{ pointer: '/events/1' }] } }
    const events = ['DATA_SYNC_FAILED', 'USER_INVITED']
    expect(await call('POST', '/webhooks', newWebhook({ events }))).toMatchObject(refused)
    const id = await create(call, { events: ['DATA_SYNC_FAILED'] })
    expect(await call('PATCH', `/webhooks/${id}`, { events })).toMatchObject(refused)
  })

  it('are listed one by one in place of "*"', async () => {
    const call = await openPortal('kinds', { events: ['DATA_SYNC_FINISHED', 'DATA_SYNC_FAILED'] })
    const id = await create(call)
    expect((await call('GET', `/webhooks/${id}`)).body.data.events).toEqual(['DATA_SYNC_FINISHED', 'DATA_SYNC_FAILED'])
    await call('PATCH', `/webhooks/${id}`, { events: ['*'] })
    expect((await call('GET', `/webhooks/${id}`)).body.data.events).toHaveLength(2)
  })

  it('never contain those about the webhooks of other customers', async () => {
    const call = await openPortal('kinds')
    const { events } = (await call('GET', `/webhooks/${await create(call)}`)).body.data
    expect(events).toContain('DATA_SYNC_FAILED')
    expect(events).not.toContain('WEBHOOK_FAILING')
    const body = { customer_id: 'x', events: ['*', 'WEBHOOK_DISABLED'] }
    expect(await harness.call('POST', '/portal-links', body)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/events/1' }] },
    })
  })

  it('hide deliveries of a kind that is no longer offered, which are not resent either', async () => {
    const before = await openPortal('withdrawn')
    const id = await create(before)
    const { id: eventId } = await harness.publish('DATA_SYNC_FINISHED')
    const { request_id: requestId } = await harness.delivery(
      id,
      (found) => found.event_id === eventId && found.status === 'delivered',
    )
    const after = await openPortal('withdrawn', { events: ['DATA_SYNC_FAILED'] })
    for (const call of [before, after]) await call('POST', `/webhooks/${id}/test`)
    await harness.delivery(id, ({ event, status }) => event === 'WEBHOOK_TEST' && status === 'delivered')
    const kindsFor = async (call: Call) =>
      (await call('GET', `/webhooks/${id}/deliveries`)).body.data.map(({ event }: { event: string }) => event)
    expect(await kindsFor(before)).toContain('DATA_SYNC_FINISHED')
    expect(await kindsFor(after)).toEqual(['WEBHOOK_TEST', 'WEBHOOK_TEST'])
    expect((await after('GET', `/deliveries/${requestId}`)).status).toBe(404)
    expect((await after('POST', `/deliveries/${requestId}/resend`)).status).toBe(404)
    expect((await before('GET', `/deliveries/${requestId}`)).status).toBe(200)

    await eventually(async () => (await kindsFor(before)).length === 3)
    const range = {
      since: new Date(Date.now() - 3_600_000).toISOString(),
      until: new Date(Date.now() + 60_000).toISOString(),
    }
    const counted = await after('GET', `/webhooks/${id}/delivery-counts?${new URLSearchParams(range)}`)
    expect(counted.body.data.delivered.count).toBe(2)
  })
})

describe('the filter of a link', () => {
  const filter = { all: { data_source_id: 'src_01h455vb4pex5vsknk084sn02q' } }

  it('holds for webhooks made with it, unseen, whatever filter the customer sets', async () => {
    const call = await openPortal('filtered', { filter })
    const id = await create(call)
    expect((await call('GET', `/webhooks/${id}`)).body.data).toMatchObject({ filter: null, customer_filter: null })
    expect((await harness.call('GET', `/webhooks/${id}`)).body.data).toMatchObject({ customer_filter: filter })
    expect((await call('PATCH', `/webhooks/${id}`, { filter: null })).status).toBe(200)
    const refused = await call('PATCH', `/webhooks/${id}`, { customer_filter: filter })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/customer_filter' }] } })

    const data = (source: string) => ({
      id: 'sync_01h455vb4pex5vsknk084sn02q',
      status: 'finished',
      data_source_id: source,
    })
    const other = await harness.publish('DATA_SYNC_FINISHED', { data: data('src_01h455vb4pex5vsknk084sn02z') })
    const own = await harness.publish('DATA_SYNC_FINISHED', { data: data(filter.all.data_source_id) })
    await harness.delivery(id, ({ event_id: eventId }) => eventId === own.id)
    await eventually(async () => (await harness.call('GET', `/webhooks/${id}`)).body.data.stats.filtered === 1)
    expect((await harness.deliveries(id)).map(({ event_id: eventId }) => eventId)).not.toContain(other.id)
  })

  it('is set on a webhook of the customer that had none when the customer changes it', async () => {
    const body = newWebhook({ customer_id: 'assigned', external_id: 'mine', metadata: { team: 'north' } })
    const id = (await harness.call('POST', '/webhooks', body)).body.data.webhook_id
    const call = await openPortal('assigned', { filter })
    expect((await call('PATCH', `/webhooks/${id}`, { description: 'Orders' })).status).toBe(200)
    const read = (await harness.call('GET', `/webhooks/${id}`)).body.data
    expect(read).toMatchObject({ customer_filter: filter, external_id: 'mine', description: 'Orders' })
  })

  it('needs a customer', async () => {
    const error = { status: 400, body: { errors: [{ pointer: '/customer_filter' }] } }
    expect(await harness.call('POST', '/webhooks', newWebhook({ customer_filter: filter }))).toMatchObject(error)
    const id = await create(harness.call)
    expect(await harness.call('PATCH', `/webhooks/${id}`, { customer_filter: filter })).toMatchObject(error)
  })
})

describe('a customer', () => {
  it('does not see what belongs to the workspace, and cannot set or search it', async () => {
    const own = { customer_id: 'private', external_id: 'internal-7', metadata: { tier: 'gold' } }
    const id = (await harness.call('POST', '/webhooks', newWebhook(own))).body.data.webhook_id
    const call = await openPortal('private')
    const expected = { external_id: null, metadata: {}, created_by: null, created_by_client: null }
    expect((await call('GET', `/webhooks/${id}`)).body.data).toMatchObject(expected)
    expect((await call('GET', '/webhooks?external_id=nothing')).body.data).toMatchObject([expected])
    for (const [field, value] of [
      ['external_id', 'x'],
      ['metadata', { tier: 'iron' }],
      ['delivery', 'poll'],
    ] as const) {
      const error = { status: 400, body: { errors: [{ pointer: `/${field}` }] } }
      expect(await call('PATCH', `/webhooks/${id}`, { [field]: value })).toMatchObject(error)
      expect(await call('POST', '/webhooks', newWebhook({ [field]: value }))).toMatchObject(error)
    }
  })

  it('cannot deliver to a test receiver of the workspace', async () => {
    const { endpoint } = (await harness.call('POST', '/receivers')).body.data
    expect((await harness.call('POST', '/webhooks', newWebhook({ endpoint }))).status).toBe(201)
    const call = await openPortal('tester')
    const error = { status: 400, body: { code: 'invalid_endpoint' } }
    expect(await call('POST', '/webhooks', newWebhook({ endpoint }))).toMatchObject(error)
    expect(await call('PATCH', `/webhooks/${await create(call)}`, { endpoint })).toMatchObject(error)
  })

  it('has a limited number of webhooks, also when they are created at once', async () => {
    const call = await openPortal('limited')
    const all = Array.from({ length: maxSubscriptionsPerCustomer + 3 }, () => call('POST', '/webhooks', newWebhook()))
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(maxSubscriptionsPerCustomer)
    expect(statuses.filter((status) => status === 403)).toHaveLength(3)
    expect((await harness.call('POST', '/webhooks', newWebhook({ customer_id: 'limited' }))).status).toBe(201)
  })

  it('is refused at once when the link was revoked, before the edge knows', async () => {
    const call = await openPortal('revoked')
    await harness.sql.query(`UPDATE portal_links SET revoked_at = now() WHERE customer_id = 'revoked'`)
    const error = { status: 401, body: { code: 'revoked_credential' } }
    expect(await call('POST', '/webhooks', newWebhook())).toMatchObject(error)
    expect(await call('GET', '/events')).toMatchObject(error)
  })

  it('is named in the audit log with the link as the actor', async () => {
    const call = await openPortal('audited')
    const id = await create(call)
    const { rows } = await harness.sql.query(
      `SELECT actor, data FROM platform.outbox WHERE kind = 'AUDIT_RECORDED' AND data->'targets' @> $1`,
      [JSON.stringify([{ type: 'customer', id: 'audited' }])],
    )
    expect(rows).toMatchObject([
      { actor: { type: 'portal_link' }, data: { action: 'webhook.created', targets: [{ id }, { type: 'customer' }] } },
    ])
  })
})

describe('row-level security', () => {
  it('shows a customer only rows of their own, whatever the statement', async () => {
    const [mine, other] = [await openPortal('row-mine'), await openPortal('row-other')]
    const ids = [await create(mine), await create(other)]
    for (const [index, call] of [mine, other].entries()) {
      const { body } = await call('POST', `/webhooks/${ids[index]}/test`)
      await eventually(async () => (await harness.detail(body.data.request_id)).attempts.length === 1)
    }
    const app = new Pool({ connectionString: harness.service.env.DATABASE_URL, max: 1 })
    try {
      await app.query(`SELECT set_config('app.workspace_id', $1, false)`, [harness.service.caller.workspaceId])
      const visible = async (customerId: string) => {
        await app.query(`SELECT set_config('app.customer_id', $1, false)`, [customerId])
        const tables = [
          'subscriptions',
          'endpoints',
          'deliveries',
          'attempts',
          'attempt_hours',
          'portal_links',
          'test_receivers',
        ]
        const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`)
        return (await app.query(`SELECT ${counts}`)).rows[0]
      }
      const one = { subscriptions: 1, endpoints: 1, deliveries: 1, attempts: 1, attempt_hours: 1, portal_links: 1 }
      expect(await visible('row-mine')).toEqual({ ...one, test_receivers: 0 })
      expect(await visible('no-one')).toEqual(
        Object.fromEntries(Object.keys({ ...one, test_receivers: 0 }).map((table) => [table, 0])),
      )
      expect((await visible('')).subscriptions).toBeGreaterThan(2)
      await app.query(`SELECT set_config('app.customer_id', 'row-mine', false)`)
      const change = await app.query(`UPDATE subscriptions SET description = 'taken' WHERE webhook_id = ANY ($1)`, [
        ids,
      ])
      expect(change.rowCount).toBe(1)
      await expect(app.query(`UPDATE subscriptions SET customer_id = 'row-other'`)).rejects.toThrow(
        'row-level security',
      )
    } finally {
      await app.end()
    }
  })
})
