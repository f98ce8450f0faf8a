import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually, startReceiver } from '@wp/testkit'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness()
const receiver = await startReceiver()
afterAll(async () => {
  await receiver.close()
  await harness.stop()
})

const failed = (code: string) => ({ data: { id: newId('sync'), status: 'failed', error: { code, message: 'x' } } })
const filter = { all: { 'error.code': 'auth' } }
const idsOf = async (webhookId: string) => (await harness.deliveries(webhookId)).map(({ event_id }) => event_id)

describe('an event', () => {
  it('is delivered only to subscriptions whose filter it passes', async () => {
    const events = ['DATA_SYNC_FAILED']
    const filtered = await harness.subscribe({ endpoint: receiver.url('/filtered'), events, filter })
    const polled = await harness.subscribe({ delivery: 'poll', events, filter })
    const disabled = await harness.subscribe({ endpoint: receiver.url('/disabled'), events, filter })
    await harness.call('PATCH', `/webhooks/${disabled}`, { status: 'disabled' })
    const all = await harness.subscribe({ delivery: 'poll', events })
    const excluded = await harness.publish('DATA_SYNC_FAILED', failed('timeout'))
    const included = await harness.publish('DATA_SYNC_FAILED', failed('auth'))
    await eventually(async () => (await idsOf(all)).length === 2)
    await receiver.waitFor(1)
    for (const id of [filtered, polled, disabled]) await eventually(async () => (await idsOf(id)).includes(included.id))
    for (const id of [filtered, polled, disabled]) expect(await idsOf(id)).not.toContain(excluded.id)
    const filteredOf = async (id: string) => (await harness.call('GET', `/webhooks/${id}`)).body.data.stats.filtered
    expect(await Promise.all([filtered, polled, disabled, all].map(filteredOf))).toEqual([1, 1, 1, 0])
    const { status, body } = await harness.call('POST', `/webhooks/${filtered}/test`)
    expect([status, body.data.event]).toEqual([202, 'WEBHOOK_TEST'])
    await harness.delivery(filtered, (delivery) => delivery.event === 'WEBHOOK_TEST' && delivery.status === 'delivered')
  })

  it('reaches every subscription that it passes, however many lie between', async () => {
    const workspaceId = newId('ws')
    const ids = Array.from({ length: 420 }, () => newId('wh')).sort()
    const open = ids.filter((_, index) => index % 3 === 0)
    await harness.sql.query(
      `WITH created AS (
         INSERT INTO subscriptions (webhook_id, workspace_id, events, delivery, filter)
         SELECT id, $2, '{*}', 'poll', CASE WHEN id = ANY ($3) THEN NULL ELSE $4::jsonb END FROM unnest($1::text[]) AS id
         RETURNING webhook_id
       )
       INSERT INTO endpoints (webhook_id, workspace_id, is_polled, is_enabled) SELECT webhook_id, $2, true, false FROM created`,
      [ids, workspaceId, open, JSON.stringify(filter)],
    )
    const { id } = await harness.publish('DATA_SYNC_FAILED', { workspace_id: workspaceId, ...failed('timeout') })
    await eventually(
      async () => (await harness.sql.query('SELECT FROM platform.inbox WHERE event_id = $1', [id])).rows.length > 0,
    )
    const { rows } = await harness.sql.query('SELECT webhook_id FROM deliveries WHERE event_id = $1 ORDER BY 1', [id])
    expect(rows.map((row) => row.webhook_id)).toEqual(open)
    // Each is counted once, although the event took several transactions.
    const counts = await harness.sql.query(
      'SELECT DISTINCT filtered, count(*)::int AS rows FROM filtered_counts WHERE workspace_id = $1 GROUP BY 1',
      [workspaceId],
    )
    expect(counts.rows).toEqual([{ filtered: 1, rows: ids.length - open.length }])
  })
})
