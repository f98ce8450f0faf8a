import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness()
afterAll(() => harness.stop())

const subscription = { endpoint: 'https://127.0.0.1:8443/hook', secret: 'a-secret-of-some-length' }
const subscribe = (workspaceId: string) =>
  harness.subscribe({ ...subscription, events: ['RECOMMENDATION_CREATED'] }, { workspaceId })
const day = '2026-01-05'

/** Adds deliveries, each a second after the one before it. @returns their ids, newest first */
async function addDeliveries(
  workspaceId: string,
  webhookId: string,
  count: number,
  { status = 'delivered', event = 'RECOMMENDATION_CREATED', from = `${day}T09:00:00.000Z` } = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('dlv'))
  await harness.sql.query(
    `INSERT INTO deliveries (request_id, workspace_id, webhook_id, event_id, event_kind, body, status, occurred_at, created_at)
     SELECT id, $1, $2, 'evt' || substr(id, 4), $4, '{}', $5, now(), $6::timestamptz + n * interval '1 second'
     FROM unnest($3::text[]) WITH ORDINALITY AS t (id, n)`,
    [workspaceId, webhookId, ids, event, status, from],
  )
  return ids.reverse()
}

describe('the list of deliveries to all subscriptions', () => {
  const list = async (workspaceId: string, query = '') =>
    (await harness.call('GET', `/deliveries${query}`, undefined, { workspaceId })).body
  const idsOf = (body: { data: { request_id: string }[] }) => body.data.map(({ request_id }) => request_id)

  it('contains those of every subscription of the workspace, newest first, in pages', async () => {
    const workspaceId = newId('ws')
    const [first, second] = [await subscribe(workspaceId), await subscribe(workspaceId)]
    const older = await addDeliveries(workspaceId, first, 3)
    const newer = await addDeliveries(workspaceId, second, 3, { from: `${day}T10:00:00.000Z` })
    const foreign = newId('ws')
    await addDeliveries(foreign, await subscribe(foreign), 1)
    const page = await list(workspaceId, '?limit=4')
    expect(idsOf(page)).toEqual([...newer, ...older].slice(0, 4))
    const rest = await list(workspaceId, `?limit=4&cursor=${page.pagination.next_cursor}`)
    expect(idsOf(rest)).toEqual(older.slice(1))
    expect(rest.pagination).toMatchObject({ has_more: false })
  })

  it('filters by subscription, status, kind, event and time', async () => {
    const workspaceId = newId('ws')
    const [first, second] = [await subscribe(workspaceId), await subscribe(workspaceId)]
    const [failed] = await addDeliveries(workspaceId, first, 1, { status: 'failed' })
    const [pinged] = await addDeliveries(workspaceId, second, 1, {
      event: 'WEBHOOK_TEST',
      from: `${day}T11:00:00.000Z`,
    })
    expect(idsOf(await list(workspaceId, `?webhook_id=${first}`))).toEqual([failed])
    expect(idsOf(await list(workspaceId, '?status=failed'))).toEqual([failed])
    expect(idsOf(await list(workspaceId, '?status=pending'))).toEqual([])
    expect(idsOf(await list(workspaceId, '?event=WEBHOOK_TEST'))).toEqual([pinged])
    expect(idsOf(await list(workspaceId, `?event_id=evt${failed?.slice(3)}`))).toEqual([failed])
    expect(idsOf(await list(workspaceId, `?since=${day}T10:00:00Z`))).toEqual([pinged])
    expect(idsOf(await list(workspaceId, `?until=${day}T10:00:00Z`))).toEqual([failed])
  })

  it('reads an index of the workspace, also for one status', async () => {
    const workspaceId = newId('ws')
    const client = await harness.sql.connect()
    try {
      await client.query('BEGIN')
      await client.query('SET LOCAL enable_seqscan = off')
      const plan = async (condition: string) =>
        JSON.stringify(
          (
            await client.query(
              `EXPLAIN (FORMAT JSON) SELECT request_id FROM deliveries WHERE workspace_id = '${workspaceId}' ${condition}
               ORDER BY created_at DESC, request_id DESC LIMIT 26`,
            )
          ).rows[0],
        )
      expect(await plan('')).toContain('"deliveries_of_workspace"')
      expect(await plan("AND status = 'pending'")).toContain('"deliveries_of_workspace_undelivered"')
      expect(await plan("AND status = 'failed'")).not.toContain('"Sort"')
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  })
})

describe('the counts of deliveries that can be replayed', () => {
  it('are those of the range by status, and stop at 10,000', async () => {
    const workspaceId = newId('ws')
    const id = await subscribe(workspaceId)
    await addDeliveries(workspaceId, id, 10_001, { status: 'skipped' })
    await addDeliveries(workspaceId, id, 10_000)
    await addDeliveries(workspaceId, id, 2, { status: 'failed' })
    await addDeliveries(workspaceId, id, 1, { status: 'failed', from: '2026-01-06T09:00:00.000Z' })
    const counts = `/webhooks/${id}/delivery-counts?since=${day}T00:00:00Z&until=2026-01-06T00:00:00Z`
    expect((await harness.call('GET', counts, undefined, { workspaceId })).body.data).toEqual({
      webhook_id: id,
      failed: { count: 2, is_lower_bound: false },
      skipped: { count: 10_000, is_lower_bound: true },
      delivered: { count: 10_000, is_lower_bound: false },
    })
    expect((await harness.call('GET', counts, undefined, { workspaceId: newId('ws') })).status).toBe(404)
  })
})

describe('the statistics of a subscription over time', () => {
  const addHour = (workspaceId: string, webhookId: string, hour: string, delivered: number, failed: number) =>
    harness.sql.query(
      `INSERT INTO attempt_hours (webhook_id, workspace_id, hour, delivered, failed, latencies)
       SELECT $1, $2, $3, $4, $5, array_fill(0, ARRAY[20]) || ARRAY[$4::int] || array_fill(0, ARRAY[43])`,
      [webhookId, workspaceId, hour, delivered, failed],
    )
  const stats = (workspaceId: string, id: string, query: string) =>
    harness.call('GET', `/webhooks/${id}/stats${query}`, undefined, { workspaceId })

  it('contain every hour or day of the range, also those without attempts', async () => {
    const workspaceId = newId('ws')
    const id = await subscribe(workspaceId)
    await addHour(workspaceId, id, `${day}T09:00:00Z`, 3, 1)
    await addHour(workspaceId, id, `${day}T11:00:00Z`, 1, 0)
    const { data } = (await stats(workspaceId, id, `?since=${day}T09:30:00Z&until=${day}T11:30:00Z`)).body
    expect(data).toMatchObject({ webhook_id: id, interval: 'hour', since: `${day}T09:00:00.000Z` })
    expect(data.points).toEqual([
      { at: `${day}T09:00:00.000Z`, delivered: 3, failed: 1, latency_p50_ms: 34.9, latency_p95_ms: 34.9 },
      { at: `${day}T10:00:00.000Z`, delivered: 0, failed: 0, latency_p50_ms: null, latency_p95_ms: null },
      { at: `${day}T11:00:00.000Z`, delivered: 1, failed: 0, latency_p50_ms: 34.9, latency_p95_ms: 34.9 },
    ])
    const days = await stats(workspaceId, id, `?since=${day}T09:30:00Z&until=2026-01-07T00:00:00Z&interval=day`)
    expect(days.body.data.points).toMatchObject([
      { at: `${day}T00:00:00.000Z`, delivered: 4, failed: 1 },
      { at: '2026-01-06T00:00:00.000Z', delivered: 0, failed: 0 },
    ])
  })

  it('end with the current hour and have 24 points by default', async () => {
    const workspaceId = newId('ws')
    const { points } = (await stats(workspaceId, await subscribe(workspaceId), '')).body.data
    expect(points).toHaveLength(24)
    expect(Date.now() - Date.parse(points.at(-1).at)).toBeLessThan(2 * 3_600_000)
  })

  it('are refused for a range that is empty or longer than 31 days', async () => {
    const workspaceId = newId('ws')
    const id = await subscribe(workspaceId)
    expect(await stats(workspaceId, id, `?since=${day}T09:00:00Z&until=${day}T09:00:00Z`)).toMatchObject({
      status: 400,
      body: {
        errors: [{ pointer: '?since', detail: 'must be before `until`, by default the end of the current hour' }],
      },
    })
    expect(await stats(workspaceId, id, '?since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:01Z')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '?since', detail: 'must be at most 31 days before `until`' }] },
    })
  })
})
