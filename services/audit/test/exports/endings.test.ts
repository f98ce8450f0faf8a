import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { setTestQuota } from '@wp/testkit'
import { problemResponse } from '@wp/testkit/problem-response'
import { removeExpired } from '../../src/exports/export-job.ts'
import { allTime, docs, startExportHarness } from '../fixture/export-harness.ts'
import { newWorkspace } from '../fixture/harness.ts'

const day = 86_400_000

const audit = await startExportHarness({ EXPORT_MAX_BYTES: '6000000' })
afterEach(() => {
  audit.clock.now = Date.now()
  audit.resolve.caller = (caller) => caller
})
afterAll(() => audit.stop())

/** Keeps a queued export from being started. */
const postpone = (id: string) =>
  audit.sql(
    `UPDATE platform.jobs SET state = 'queued', finished_at = NULL, run_at = now() + interval '1 day' WHERE id = $1`,
    [id],
  )
const countRows = async (table: string, workspaceId: string) =>
  (await audit.sql(`SELECT FROM ${table} WHERE workspace_id = $1`, [workspaceId])).length
const finishedExport = async () => {
  const caller = newWorkspace()
  await audit.insertRecords(caller.workspaceId, 3)
  const id = await audit.start(caller)
  await audit.waitForEnd(id, caller)
  return { caller, id }
}

describe('a finished export', () => {
  it('is 410 from its expiry on, and its content is deleted an hour later', async () => {
    const { caller, id } = await finishedExport()
    const { workspaceId } = caller
    const expiry = audit.clock.now + 30 * day
    audit.clock.now = expiry - 1
    expect((await audit.content(id, caller)).status).toBe(200)
    audit.clock.now = expiry
    expect(await audit.content(id, caller)).toMatchObject(problemResponse(410, 'content_deleted'))
    expect(await removeExpired(audit.context)).toBe('idle')
    expect(await countRows('audit_export_parts', workspaceId)).toBe(1)
    audit.clock.now = expiry + 3_600_001
    expect(await removeExpired(audit.context)).toBe('idle')
    expect(await countRows('audit_export_parts', workspaceId)).toBe(0)
    expect(await countRows('audit_exports', workspaceId)).toBe(0)
    expect(await audit.call('GET', `${docs}/${id}`, caller)).toMatchObject({
      status: 200,
      body: { data: { status: 'finished', record_count: 3, expires_at: new Date(expiry).toISOString() } },
    })
    expect(await audit.content(id, caller)).toMatchObject(problemResponse(410, 'content_deleted'))
  })

  it('is 410 after its content was deleted for another reason', async () => {
    const { caller, id } = await finishedExport()
    await audit.sql('DELETE FROM audit_exports WHERE id = $1', [id])
    expect(await audit.content(id, caller)).toMatchObject(problemResponse(410, 'content_deleted'))
  })

  it('cannot be cancelled', async () => {
    const { caller, id } = await finishedExport()
    expect(await audit.call('POST', `${docs}/${id}/cancel`, caller)).toMatchObject(problemResponse(409, 'conflict'))
    expect((await audit.content(id, caller)).status).toBe(200)
  })

  it('has a content that no role of the service can change', async () => {
    const { caller } = await finishedExport()
    const change = `UPDATE audit_export_parts SET content = ''`
    const owner = { ...audit.caller, ...caller, requestId: 'req-change' }
    await expect(audit.database.transact(owner, ({ query }) => query(change))).rejects.toThrow('permission denied')
    await expect(audit.database.worker.query(change)).rejects.toThrow('permission denied')
  })
})

describe('a cancelled export', () => {
  it('never starts, has no content and lets what was written expire', async () => {
    const { caller, id } = await finishedExport()
    await postpone(id)
    expect(await audit.content(id, caller)).toMatchObject(problemResponse(409, 'conflict'))
    const cancelled = await audit.call('POST', `${docs}/${id}/cancel`, caller)
    expect(cancelled).toMatchObject({ status: 200, body: { data: { id, status: 'cancelled' } } })
    expect((await audit.call('POST', `${docs}/${id}/cancel`, caller)).body).toEqual(cancelled.body)
    expect(await audit.content(id, caller)).toMatchObject(problemResponse(409, 'conflict'))
    expect(await audit.sql('SELECT expires_at FROM audit_exports WHERE id = $1', [id])).toEqual([
      { expires_at: new Date(audit.clock.now) },
    ])
    const recorded = await audit.events(id, 'AUDIT_RECORDED')
    expect(recorded.map(({ action }) => action)).toContain('audit_doc.cancelled')
  })
})

describe('an export fails with an event', () => {
  const failedWith = async (id: string, caller: { workspaceId: string }, code: string) => {
    const { status, error } = await audit.waitForEnd(id, caller)
    expect({ status, error }).toMatchObject({ status: 'failed', error: { code, retryable: false } })
    expect(await audit.events(id, 'AUDIT_DOC_FAILED')).toMatchObject([
      { id, status: 'failed', format: 'jsonl', error: { code } },
    ])
    expect(await audit.events(id, 'AUDIT_DOC_FINISHED')).toEqual([])
    expect(await audit.content(id, caller)).toMatchObject(problemResponse(409, 'conflict'))
  }

  it('when its content is larger than the maximum', async () => {
    const caller = newWorkspace()
    await audit.insertRecords(caller.workspaceId, 5_000)
    const id = await audit.start(caller)
    await failedWith(id, caller, 'export_too_large')
    audit.clock.now += 3_600_001
    while ((await removeExpired(audit.context)) === 'more');
    expect(await countRows('audit_export_parts', caller.workspaceId)).toBe(0)
  })

  it('when it exceeds the quota of the workspace, and not when it fits', async () => {
    const caller = newWorkspace()
    await audit.insertRecords(caller.workspaceId, 1_500)
    await setTestQuota(audit.env.DATABASE_WORKER_URL, caller.workspaceId, 'export_bytes', 2_000_000)
    await failedWith(await audit.start(caller), caller, 'quota_exceeded')
    const until = { to: '2026-01-01T00:10:00Z' }
    const smaller = await audit.start(caller, until)
    expect(await audit.waitForEnd(smaller, caller)).toMatchObject({ status: 'finished', record_count: 599 })
  })

  it('when the caller was revoked before it started', async () => {
    audit.resolve.caller = () => null
    const caller = newWorkspace()
    await failedWith(await audit.start(caller), caller, 'caller_revoked')
  })

  it('when the caller lost the scope before it started', async () => {
    audit.resolve.caller = (caller) => ({ ...caller, scopes: ['audit:read'] })
    const caller = newWorkspace()
    await failedWith(await audit.start(caller), caller, 'missing_scope')
  })
})

it('no more exports can wait in the queue than the quota allows', async () => {
  const { caller, id } = await finishedExport()
  await setTestQuota(audit.env.DATABASE_WORKER_URL, caller.workspaceId, 'queued_jobs', 1)
  await postpone(id)
  const refused = await audit.call('POST', docs, caller, { body: { format: 'csv', ...allTime } })
  expect(refused).toMatchObject(problemResponse(403, 'quota_exceeded'))
  const { body } = await audit.call('GET', '/internal/audit/quota-usage', caller, { signer: 'system' })
  expect(body.data.quotas).toEqual([
    { quota: 'queued_jobs', kind: 'audit_export', limit: 1, current: 1 },
    { quota: 'export_bytes', kind: null, limit: 10 * 1024 ** 3, current: expect.any(Number) },
  ])
  expect(body.data.quotas[1].current).toBeGreaterThan(3 * 1024)
})
