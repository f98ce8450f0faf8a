import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import { problemResponse } from '@wp/testkit/problem-response'
import { newWorkspace, startAuditHarness } from './fixture/harness.ts'

const audit = await startAuditHarness()
afterAll(() => audit.stop())

const record = async (data: Record<string, unknown>, caller: { workspaceId: string }) => {
  const count = (await audit.list('', caller)).body.data.length
  const event = await audit.publish(caller.workspaceId, data)
  await audit.waitForRecords(caller.workspaceId, count + 1)
  return event.replace('evt_', 'log_')
}

describe('a record', () => {
  it('has the content and id of its event and belongs to the chain of its workspace', async () => {
    const caller = newWorkspace()
    const occurred_at = '2026-03-04T05:06:07.890Z'
    const context = { ip: '203.0.113.9', user_agent: 'curl/8', request_id: 'req-of-this-one' }
    const changes = { name: ['old', 'new'], size: 1.5e300, note: 'ünï\u2028😀' }
    const event = await audit.publish(caller.workspaceId, { context, changes }, { event: { occurred_at } })
    await audit.publish(caller.workspaceId, { outcome: 'failure' })
    await audit.waitForRecords(caller.workspaceId, 2)
    const id = event.replace('evt_', 'log_')
    const read = await audit.request('GET', `/v1/audit/logs/${id}`, { caller })
    expect(read).toMatchObject({ status: 200, body: { success: true } })
    expect(read.body.data).toEqual({
      id,
      seq: 1,
      action: 'data_source.created',
      occurred_at,
      actor: { id: 'sp_01h455vb4pex5vsknk084sn02q', type: 'service_principal' },
      targets: [{ type: 'data_source', id: 'src_01h455vb4pex5vsknk084sn02q' }],
      context,
      outcome: 'success',
      changes,
      prev_hash: '0'.repeat(64),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const [newest, older] = (await audit.list('', caller)).body.data
    expect(older).toEqual(read.body.data)
    expect(newest).toMatchObject({ seq: 2, outcome: 'failure', prev_hash: older.hash })
    expect(await audit.verify(caller.workspaceId)).toEqual({
      status: 'ok',
      checked: 2,
      first_seq: 1,
      last_seq: 2,
      next_to_seq: null,
      head_hash: newest.hash,
      anchor: null,
      erased: 0,
      problem_count: 0,
      problems: [],
    })
  })

  it('is not visible to another workspace', async () => {
    const caller = newWorkspace()
    const id = await record({}, caller)
    const stranger = newWorkspace()
    expect(await audit.request('GET', `/v1/audit/logs/${id}`, { caller: stranger })).toMatchObject(
      problemResponse(404, 'not_found'),
    )
    expect((await audit.list('', stranger)).body).toMatchObject({ data: [], pagination: { has_more: false } })
    expect(await audit.verify(stranger.workspaceId)).toMatchObject({ status: 'ok', checked: 0, head_hash: null })
  })

  it('requires the scope', async () => {
    const caller = { scopes: ['workspace:read' as const] }
    for (const path of ['', '/verify', `/${newId('log')}`])
      expect(await audit.request('GET', `/v1/audit/logs${path}`, { caller })).toMatchObject(
        problemResponse(403, 'missing_scope'),
      )
  })
})

describe('the list', () => {
  it('is paged newest first, by the time of the event', async () => {
    const caller = newWorkspace()
    const times = [3, 1, 5, 2, 4].map((day) => `2026-05-0${day}T00:00:00.000Z`)
    for (const occurred_at of times) await audit.publish(caller.workspaceId, {}, { event: { occurred_at } })
    await audit.waitForRecords(caller.workspaceId, 5)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await audit.list(cursor === '' ? 'limit=2' : `limit=2&cursor=${cursor}`, caller)
      seen.push(...body.data.map((record: { occurred_at: string }) => record.occurred_at))
      cursor = body.pagination.next_cursor
    }
    expect(seen).toEqual([...times].sort().reverse())
    expect(await audit.list('cursor=nonsense', caller)).toMatchObject(problemResponse(400, 'invalid_cursor', '?cursor'))
  })

  it('combines the filters actor, action, target, outcome, from and to', async () => {
    const caller = newWorkspace()
    const source = newId('src')
    const other = newId('src')
    const user = { id: newId('usr'), type: 'user' }
    const on = (...ids: string[]) => ({ targets: ids.map((id) => ({ type: 'data_source', id })) })
    const all = [
      await record({ ...on(source), actor: user }, caller),
      await record({ ...on(source, other), action: 'data_source.updated' }, caller),
      await record({ ...on(other), outcome: 'failure' }, caller),
    ]
    const found = async (query: string) =>
      (await audit.list(query, caller)).body.data.map(({ id }: { id: string }) => all.indexOf(id))
    expect(await found(`actor=${user.id}`)).toEqual([0])
    expect(await found(`target=${source}`)).toEqual([1, 0])
    expect(await found(`target=${other}`)).toEqual([2, 1])
    expect(await found('action=data_source.updated')).toEqual([1])
    expect(await found('outcome=failure')).toEqual([2])
    expect(await found(`target=${source}&action=data_source.created`)).toEqual([0])
    expect(await found(`target=${source}&outcome=failure`)).toEqual([])
    const middle = (await audit.list('', caller)).body.data[1].occurred_at
    expect(await found(`from=${middle}`)).toContain(1)
    expect(await found(`from=${middle}`)).not.toContain(0)
    expect(await found(`to=${middle}`)).toEqual([0])
    expect(await found(`since=${middle}`)).toEqual(await found(`from=${middle}`))
    expect(await found(`until=${middle}`)).toEqual([0])
    const elsewhere = encodeURIComponent(new Date(Date.parse(middle) + 3_600_000).toISOString().replace('Z', '+01:00'))
    expect(await found(`until=${elsewhere}`)).toEqual([0])
    expect(await audit.list(`since=${middle}&from=${middle}`, caller)).toMatchObject(
      problemResponse(400, 'validation_failed', '?from'),
    )
    expect(await audit.list('outcome=perhaps', caller)).toMatchObject(
      problemResponse(400, 'validation_failed', '?outcome'),
    )
    expect(await audit.list('from=yesterday', caller)).toMatchObject(problemResponse(400, 'validation_failed', '?from'))
  })

  it('uses indexes under row-level security', async () => {
    const caller = newWorkspace()
    await record({}, caller)
    const plans = await audit.database.read(caller, async (_db, query) => {
      await query('SET enable_seqscan = off')
      const explain = async (where: string) =>
        JSON.stringify(await query(`EXPLAIN SELECT * FROM audit_records ${where}`))
      const mine = `WHERE workspace_id = '${caller.workspaceId}'`
      const order = 'ORDER BY occurred_at DESC, id DESC LIMIT 26'
      const plans = [
        await explain(`${mine} AND (occurred_at, id) < ('2026-01-01', 'log_x') ${order}`),
        await explain(`${mine} AND actor_id = 'a' ${order}`),
        await explain(`${mine} AND action = 'a' ${order}`),
      ]
      await query('RESET enable_seqscan')
      return plans
    })
    expect(plans[0]).toMatch(/Index Cond: .*ROW\(occurred_at, id\) </)
    expect(plans[1]).toMatch(/audit_records_by_actor.*Index Cond: .*actor_id/)
    expect(plans[2]).toMatch(/audit_records_by_action.*Index Cond: .*action/)
    for (const plan of plans) expect(plan).not.toContain('Sort')
  })
})

describe('an event', () => {
  it('that is redelivered is recorded once, even after its inbox row was deleted', async () => {
    const caller = newWorkspace()
    const id = await audit.publish(caller.workspaceId)
    await audit.waitForRecords(caller.workspaceId, 1)
    await audit.redeliver(caller.workspaceId, id)
    await audit.sql('DELETE FROM platform.inbox WHERE event_id = $1', [id])
    await audit.redeliver(caller.workspaceId, id)
    await eventually(async () => (await audit.sql('SELECT FROM platform.inbox WHERE event_id = $1', [id])).length === 1)
    await audit.publish(caller.workspaceId)
    await audit.waitForRecords(caller.workspaceId, 2)
    expect(await audit.sql('SELECT FROM platform.dead_events')).toEqual([])
    expect((await audit.verify(caller.workspaceId)).status).toBe('ok')
  })

  it('that its producer may not record becomes a dead letter and is counted', async () => {
    const caller = newWorkspace()
    const id = await audit.publish(caller.workspaceId, {}, { producer: 'solutions' })
    await audit.publish(caller.workspaceId)
    await audit.waitForRecords(caller.workspaceId, 1)
    const dead = await eventually(async () => {
      const rows = await audit.sql('SELECT error, failures FROM platform.dead_events WHERE event_id = $1', [id])
      return rows.length > 0 && rows
    })
    expect(dead).toEqual([{ error: 'refused: solutions may not record data_source.created', failures: 1 }])
    expect(await audit.metric('audit_refused_total')).toBe(1)
    expect((await audit.list('', caller)).body.data).toHaveLength(1)
  })

  it('outside any workspace is recorded in a chain that no workspace can read', async () => {
    await audit.publish('', { action: 'user.updated' }, { producer: 'auth' })
    await audit.waitForRecords('platform', 1)
    const [row] = await audit.sql('SELECT workspace_id, seq::int FROM audit_records WHERE action = $1', [
      'user.updated',
    ])
    expect(row).toEqual({ workspace_id: 'platform', seq: 1 })
    expect((await audit.list('action=user.updated', newWorkspace())).body.data).toEqual([])
  })
})
