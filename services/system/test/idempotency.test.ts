import { afterAll, describe, expect, it } from '@jest/globals'
import { problemResponse } from '@wp/testkit/problem-response'
import { inNewWorkspace, startSystem, variables } from './fixture/system.ts'

const system = await startSystem()
afterAll(() => system.stop())

const putWithKey = (key: string, body: Record<string, unknown>, caller = {}) =>
  system.request('POST', variables, { body, caller, headers: { 'idempotency-key': key } })
const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed') === 'true'

describe('an idempotency key', () => {
  it('replays the first response, with status and location, and does not repeat the change', async () => {
    const body = { name: 'ONCE', value: 'first' }
    const first = await putWithKey('key-1', body)
    await system.put({ name: 'ONCE', value: 'changed since' })
    const second = await putWithKey('key-1', body)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect([first, second].map(isReplay)).toEqual([false, true])
    expect((await system.get('ONCE')).body.data.value).toBe('changed since')
  })

  it('rejects another body with 422, and still replays the first response', async () => {
    await putWithKey('key-2', { name: 'TWICE', value: 'a' })
    expect(await putWithKey('key-2', { name: 'TWICE', value: 'b' })).toMatchObject(
      problemResponse(422, 'idempotency_key_reused'),
    )
    expect((await putWithKey('key-2', { name: 'TWICE', value: 'a' })).status).toBe(201)
  })

  it('replays the first response when the members of the body are in another order', async () => {
    const first = await putWithKey('key-order', { name: 'ORDERED', value: 'a', secret: true })
    const second = await putWithKey('key-order', { secret: true, value: 'a', name: 'ORDERED' })
    expect([first.status, second.status, isReplay(second)]).toEqual([201, 201, true])
  })

  it('applies to one principal and workspace', async () => {
    const body = { name: 'OWNED', value: 'x' }
    expect((await putWithKey('key-3', body)).status).toBe(201)
    const colleague = { principal: { id: 'usr_01h455vb4pex5vsknk084sn02q', type: 'user' as const } }
    const response = await putWithKey('key-3', body, colleague)
    expect([response.status, isReplay(response)]).toEqual([200, false])
    expect(await putWithKey('key-3', body, inNewWorkspace())).toMatchObject({ status: 201 })
  })

  it('is served once when 20 concurrent requests have it', async () => {
    const workspace = inNewWorkspace()
    const body = { name: 'CROWDED', value: 'x' }
    const responses = await Promise.all(Array.from({ length: 20 }, () => putWithKey('key-4', body, workspace)))
    const counts = Object.groupBy(responses, (response) =>
      response.status === 409 ? response.body.code : isReplay(response) ? 'replayed' : `served ${response.status}`,
    )
    expect(counts['served 201']).toHaveLength(1)
    const { idempotency_in_flight: inFlight = [], replayed = [] } = counts
    expect(inFlight.length + replayed.length).toBe(19)
    const { rows } = await system.database.worker.query(
      'SELECT count(*)::int AS audited FROM platform.outbox WHERE workspace_id = $1',
      [workspace.workspaceId],
    )
    expect(rows).toEqual([{ audited: 1 }])
    const later = await putWithKey('key-4', body, workspace)
    expect([later.status, isReplay(later)]).toEqual([201, true])
  })

  it('is not stored when the request is rejected before its operation runs', async () => {
    expect((await putWithKey('key-5', { name: 'wrong', value: 'x' })).status).toBe(400)
    expect((await putWithKey('key-5', { name: 'RIGHT', value: 'x' })).status).toBe(201)
  })

  it('is rejected when it is not printable or too long', async () => {
    for (const key of ['x'.repeat(256), 'a b'])
      expect(await putWithKey(key, { name: 'X', value: 'x' })).toMatchObject(problemResponse(400, 'validation_failed'))
  })
})
