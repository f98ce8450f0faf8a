import { createPublicKey, verify as verifySignature } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { problemResponse } from '@wp/testkit/problem-response'
import { recordHash } from '../src/chain/record.ts'
import type { StoredRecord } from '../src/store/record-types.ts'
import { readDescending } from '../src/store/records.ts'
import { newWorkspace, startAuditHarness } from './fixture/harness.ts'

const audit = await startAuditHarness()
afterAll(() => audit.stop())

const readHead = async (workspaceId: string) => {
  const response = await audit.request('GET', '/v1/audit/logs/head', { caller: { workspaceId } })
  expect(response).toMatchObject({ status: 200, body: { success: true } })
  return response.body.data
}

const record = async (workspaceId: string, from: number, to: number) => {
  for (let n = from; n <= to; n += 1) await audit.publish(workspaceId, { changes: { n } })
  await audit.waitForRecords(workspaceId, to)
}

const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())

/** Recomputes the chain from a record on, and its head, as an attacker with the password of the superuser can. */
async function recompute(workspaceId: string, seq: number, changes: Record<string, unknown>): Promise<void> {
  const stored = await audit.database.read({ workspaceId }, (_db, query) =>
    readDescending(query, workspaceId, { below: { seq: 1_000, id: '' }, from: seq, limit: 1_000 }),
  )
  let prevHash: string | undefined
  for (const one of stored.reverse()) prevHash = await rewrite(one, prevHash, one.record.seq === seq ? changes : {})
  await audit.sql('UPDATE audit_chains SET hash = $2 WHERE workspace_id = $1', [workspaceId, prevHash])
}

async function rewrite({ record }: StoredRecord, prevHash = record.prevHash, changes = {}): Promise<string> {
  const forged = { ...record, prevHash, changes: { ...record.changes, ...changes } }
  const hash = recordHash(forged)
  await audit.sql(
    'UPDATE audit_records SET changes = $3, prev_hash = $4, hash = $5 WHERE workspace_id = $1 AND seq = $2',
    [forged.workspaceId, forged.seq, forged.changes, prevHash, hash],
  )
  return hash
}

describe('a signed head', () => {
  it('names the last record and verifies with the published keys', async () => {
    const { workspaceId } = newWorkspace()
    await record(workspaceId, 1, 3)
    const head = await readHead(workspaceId)
    const { head_hash } = await audit.verify(workspaceId)
    expect(head).toMatchObject({ workspace_id: workspaceId, seq: 3, hash: head_hash })
    const { body: keys } = await audit.request('GET', '/v1/audit/keys', { caller: { workspaceId: null, scopes: [] } })
    expect(keys).toEqual({ keys: [expect.not.objectContaining({ d: expect.anything() })] })
    const { token, ...claims } = head
    const [header = '', payload = '', signature = ''] = token.split('.')
    const { kid, ...described } = decode(header)
    expect([decode(payload), described]).toEqual([claims, { alg: 'ES256', typ: 'audit-head+jwt' }])
    const key = createPublicKey({ key: keys.keys.find((one: { kid: string }) => one.kid === kid), format: 'jwk' })
    const signed = Buffer.from(`${header}.${payload}`)
    const isVerified = (content: Buffer) =>
      verifySignature('sha256', content, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
    expect([isVerified(signed), isVerified(Buffer.from(`${signed}x`))]).toEqual([true, false])
  })

  it('of a workspace without records is at position 0, and is confirmed later', async () => {
    const { workspaceId } = newWorkspace()
    const head = await readHead(workspaceId)
    expect(head).toMatchObject({ seq: 0, hash: '0'.repeat(64) })
    await record(workspaceId, 1, 1)
    expect(await audit.verify(workspaceId, `head=${head.token}`)).toMatchObject({
      signed_head: { status: 'confirmed' },
    })
  })

  it('is confirmed after more was recorded, and reveals a chain that was recomputed with its head', async () => {
    const { workspaceId } = newWorkspace()
    await record(workspaceId, 1, 4)
    const head = await readHead(workspaceId)
    await record(workspaceId, 5, 6)
    const { token, workspace_id: _, ...kept } = head
    expect(await audit.verify(workspaceId, `head=${token}`)).toMatchObject({
      status: 'ok',
      signed_head: { ...kept, status: 'confirmed' },
    })
    await recompute(workspaceId, 5, { n: 50 })
    expect((await audit.verify(workspaceId, `head=${token}`)).signed_head.status).toBe('confirmed')
    await recompute(workspaceId, 2, { n: 20 })
    expect(await audit.verify(workspaceId)).toMatchObject({ status: 'ok', problems: [] })
    expect(await audit.verify(workspaceId, `head=${token}`)).toMatchObject({
      status: 'broken',
      problem_count: 1,
      problems: [{ kind: 'altered', seq: 4 }],
      signed_head: { status: 'contradicted' },
    })
    expect(await audit.verify(workspaceId, `from_seq=5&head=${token}`)).toMatchObject({
      status: 'ok',
      signed_head: { status: 'not_checked' },
    })
  })

  it('is rejected when it is of another workspace, or not signed by the audit log', async () => {
    const [mine, other] = [newWorkspace(), newWorkspace()]
    const { token } = await readHead(other.workspaceId)
    const [header = '', , signature = ''] = token.split('.')
    const claims = { workspace_id: mine.workspaceId, seq: 1, hash: 'x', signed_at: '2026-01-01T00:00:00.000Z' }
    const forged = [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
    for (const head of [token, forged, 'nonsense'])
      expect(await audit.request('GET', `/v1/audit/logs/verify?head=${head}`, { caller: mine })).toMatchObject(
        problemResponse(400, 'validation_failed', '?head'),
      )
  })
})
