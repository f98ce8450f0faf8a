import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { problemResponse } from '@wp/testkit/problem-response'
import { newWorkspace, startAuditHarness } from './fixture/harness.ts'

let workspaceId: string
const audit = await startAuditHarness()
beforeEach(async () => {
  workspaceId = newWorkspace().workspaceId
  for (let n = 1; n <= 8; n += 1) await audit.publish(workspaceId, { changes: { n } })
  await audit.waitForRecords(workspaceId, 8)
})
afterAll(() => audit.stop())

/** Runs a statement as superuser, which no permission restricts. */
const tamper = (statement: string) => audit.sql(statement.replaceAll('$ws', `'${workspaceId}'`))

const problems = async () => {
  const { status, problems, problem_count } = await audit.verify(workspaceId)
  expect([status, problem_count]).toEqual(['broken', problems.length])
  return problems.map(({ kind, seq, id }: { kind: string; seq: number; id: string | null }) => ({ kind, seq, id }))
}

const idOf = async (seq: number) =>
  (
    await audit.sql<{ id: string }>('SELECT id FROM audit_records WHERE workspace_id = $1 AND seq = $2', [
      workspaceId,
      seq,
    ])
  )[0]?.id ?? null

describe('in the database', () => {
  it('an untouched chain verifies', async () => {
    expect(await audit.verify(workspaceId)).toMatchObject({ status: 'ok', checked: 8, first_seq: 1, last_seq: 8 })
  })

  it.each([
    [`changes = '{"n": 50}'`],
    [`actor_id = 'usr_innocent'`],
    [`occurred_at = occurred_at + interval '1 hour'`],
    [`targets = '[]'`],
    [`hash = prev_hash`],
  ])('an altered record is reported: %s', async (change) => {
    const id = await idOf(5)
    await tamper(`UPDATE audit_records SET ${change} WHERE workspace_id = $ws AND seq = 5`)
    expect(await problems()).toEqual([{ kind: 'altered', seq: 5, id }])
  })

  it('an altered address is reported, an erased one is not', async () => {
    const [id, erased] = [await idOf(4), await idOf(6)]
    await tamper(`DELETE FROM audit_personal_data WHERE workspace_id = $ws AND id = '${erased}'`)
    expect(await audit.verify(workspaceId)).toMatchObject({ status: 'ok', erased: 1 })
    const read = await audit.request('GET', `/v1/audit/logs/${erased}`, { caller: { workspaceId } })
    expect(read.body.data.context).toEqual({ ip: null, user_agent: null, request_id: 'req-4f1c2a90' })
    await tamper(`UPDATE audit_personal_data SET ip = '127.0.0.1' WHERE workspace_id = $ws AND id = '${id}'`)
    expect(await problems()).toEqual([{ kind: 'altered', seq: 4, id }])
  })

  it.each([1, 4, 8])('a deleted record is reported: record %i of 8', async (seq) => {
    await tamper(`DELETE FROM audit_records WHERE workspace_id = $ws AND seq = ${seq}`)
    expect(await problems()).toEqual([{ kind: 'missing', seq, id: null }])
  })

  it('a deleted end of a chain, or all of it, is reported as one range', async () => {
    await tamper('DELETE FROM audit_records WHERE workspace_id = $ws AND seq > 5')
    expect(await problems()).toEqual([{ kind: 'missing', seq: 6, id: null }])
    await tamper('DELETE FROM audit_records WHERE workspace_id = $ws')
    expect(await problems()).toEqual([{ kind: 'missing', seq: 1, id: null }])
    await tamper('DELETE FROM audit_chains WHERE workspace_id = $ws')
    expect(await audit.verify(workspaceId)).toMatchObject({ status: 'ok', checked: 0 })
  })

  it('a missing head is reported', async () => {
    await tamper('DELETE FROM audit_chains WHERE workspace_id = $ws')
    expect(await problems()).toEqual([{ kind: 'missing', seq: 9, id: null }])
  })

  const copied = 'action, occurred_at, actor_id, actor_type, targets, request_id, outcome, changes, personal_hash'
  const copy = (seq: string, from: number) =>
    `INSERT INTO audit_records (workspace_id, seq, id, ${copied}, prev_hash, hash)
     SELECT workspace_id, ${seq}, 'log_forged', ${copied}, hash, repeat('a', 64)
     FROM audit_records WHERE workspace_id = $ws AND seq = ${from}`

  it('a record inserted at the end is reported', async () => {
    await tamper(copy('9', 8))
    expect(await problems()).toEqual([{ kind: 'inserted', seq: 9, id: 'log_forged' }])
  })

  it('a record inserted in the middle is reported when later records were moved to make room', async () => {
    await tamper('UPDATE audit_records SET seq = -seq WHERE workspace_id = $ws AND seq > 4')
    await tamper('UPDATE audit_records SET seq = 1 - seq WHERE workspace_id = $ws AND seq < 0')
    await tamper(copy('5', 4))
    const [first, second, ...others] = await problems()
    expect([first, others]).toEqual([{ kind: 'inserted', seq: 5, id: 'log_forged' }, []])
    expect(second).toMatchObject({ kind: 'altered', seq: 6 })
  })
})

describe('a part of a chain', () => {
  it('is verified against the record after it, and nothing else is read', async () => {
    expect(await audit.verify(workspaceId, 'from_seq=3&to_seq=6')).toMatchObject({
      status: 'ok',
      checked: 4,
      first_seq: 3,
      last_seq: 6,
    })
    await tamper('DELETE FROM audit_records WHERE workspace_id = $ws AND seq = 6')
    expect(await audit.verify(workspaceId, 'from_seq=3&to_seq=6')).toMatchObject({
      checked: 3,
      problems: [{ kind: 'missing', seq: 6 }],
    })
    expect(await audit.verify(workspaceId, 'from_seq=7')).toMatchObject({ status: 'ok', checked: 2 })
    expect(await audit.verify(workspaceId, 'to_seq=5')).toMatchObject({ status: 'ok', checked: 5 })
    const forged = `UPDATE audit_records SET hash = repeat('b', 64) WHERE workspace_id = $ws AND seq = 4`
    await tamper(forged)
    expect(await audit.verify(workspaceId, 'to_seq=4')).toMatchObject({ problems: [{ kind: 'altered', seq: 4 }] })
  })

  it('is refused when it ends before it begins', async () => {
    const caller = { workspaceId }
    const verify = (query: string) => audit.request('GET', `/v1/audit/logs/verify?${query}`, { caller })
    expect(await verify('from_seq=3&to_seq=2')).toMatchObject(problemResponse(400, 'validation_failed', '?to_seq'))
    expect(await verify('from_seq=0')).toMatchObject(problemResponse(400, 'validation_failed', '?from_seq'))
    expect(await verify('from=1')).toMatchObject(problemResponse(400, 'validation_failed', '?from'))
  })
})
