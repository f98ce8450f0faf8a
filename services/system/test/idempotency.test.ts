import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { inNewWorkspace, refused, type System, startSystem, variables } from './fixture/system.ts'

let system: System
beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system.stop())

const under = (key: string, body: Record<string, unknown>, caller = {}) =>
  system.request('POST', variables, { body, caller, headers: { 'idempotency-key': key } })
const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed') === 'true'

describe('an idempotency key', () => {
  it('gives the first answer again, status and address too, and does nothing again', async () => {
    const body = { name: 'ONCE', value: 'first' }
    const first = await under('key-1', body)
    await system.put({ name: 'ONCE', value: 'changed since' })
    const second = await under('key-1', body)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect([first, second].map(isReplay)).toEqual([false, true])
    expect((await system.get('ONCE')).body.data.value).toBe('changed since')
  })

  it('refuses another body, and replays that refusal for nobody', async () => {
    await under('key-2', { name: 'TWICE', value: 'a' })
    expect(await under('key-2', { name: 'TWICE', value: 'b' })).toMatchObject(refused(422, 'idempotency_key_reused'))
    expect((await under('key-2', { name: 'TWICE', value: 'a' })).status).toBe(201)
  })

  it('belongs to the principal and the workspace', async () => {
    const body = { name: 'OWNED', value: 'x' }
    expect((await under('key-3', body)).status).toBe(201)
    const colleague = { principal: { id: 'usr_01h455vb4pex5vsknk084sn02q', type: 'user' as const } }
    const answer = await under('key-3', body, colleague)
    expect([answer.status, isReplay(answer)]).toEqual([200, false])
    expect(await under('key-3', body, inNewWorkspace())).toMatchObject({ status: 201 })
  })

  it('is served once when 20 requests carry it at the same time', async () => {
    const workspace = inNewWorkspace()
    const body = { name: 'CROWDED', value: 'x' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => under('key-4', body, workspace)))
    const counts = Object.groupBy(answers, (answer) =>
      answer.status === 409 ? answer.body.code : isReplay(answer) ? 'replayed' : `served ${answer.status}`,
    )
    expect(counts['served 201']).toHaveLength(1)
    const { idempotency_in_flight: inFlight = [], replayed = [] } = counts
    expect(inFlight.length + replayed.length).toBe(19)
    const { rows } = await system.database.worker.query(
      'SELECT count(*)::int AS audited FROM platform.outbox WHERE workspace_id = $1',
      [workspace.workspaceId],
    )
    expect(rows).toEqual([{ audited: 1 }])
    const later = await under('key-4', body, workspace)
    expect([later.status, isReplay(later)]).toEqual([201, true])
  })

  it('is not kept for a request that was refused before it was begun', async () => {
    expect((await under('key-5', { name: 'wrong', value: 'x' })).status).toBe(400)
    expect((await under('key-5', { name: 'RIGHT', value: 'x' })).status).toBe(201)
  })

  it('must be printable and of bounded length', async () => {
    for (const key of ['x'.repeat(256), 'a b'])
      expect(await under(key, { name: 'X', value: 'x' })).toMatchObject(refused(400, 'validation_failed'))
  })
})
