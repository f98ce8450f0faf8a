import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { createJobRunner, type Job } from '@wp/jobs'
import { eventually } from '@wp/testkit'
import { maxPartBytes } from '../../src/exports/content-buffer.ts'
import { runExport } from '../../src/exports/run-export.ts'
import type { Control } from '../../src/store/client.ts'
import { exportQueue } from '../../src/store/quotas.ts'
import { startExportHarness } from '../fixture/export-harness.ts'
import { newWorkspace } from '../fixture/harness.ts'

const audit = await startExportHarness()
afterAll(() => audit.stop())

const hourMs = 3_600_000
const countParts = async (id: string) =>
  (await audit.sql('SELECT FROM audit_export_parts WHERE export_id = $1', [id])).length

/**
 * Starts an export of 1,600 records on a runner that never renews its lease, and stops it after the first checkpoint
 * with content, with its next page read and not written.
 */
async function interruptedExport() {
  const caller = newWorkspace()
  const { workspaceId } = caller
  await audit.insertRecords(workspaceId, 1_600)
  const released = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  const database = audit.context.database.background
  // The same database, except that reads wait once there is content.
  const slow: typeof database = {
    ...database,
    async read(scope, work) {
      const result = await database.read(scope, work)
      if ((await countParts(id)) > 0) await released.promise
      return result
    },
  }
  const handle = (job: Job, control: Control) =>
    runExport({ ...audit.context, database: slow }, job, control).then(
      () => ended.resolve(undefined),
      (error: unknown) => {
        ended.resolve(error)
        throw error
      },
    )
  const id = await queueExport(workspaceId)
  const runner = createJobRunner({
    database,
    service: 'audit',
    queue: 'interrupted',
    handle,
    log: audit.context.log,
    leaseMs: hourMs,
    heartbeatMs: hourMs,
    pollMs: 10,
  })
  await runner.start()
  await eventually(async () => (await countParts(id)) > 0, { description: 'a checkpoint' })
  return { caller, id, released, ended: ended.promise, stop: () => runner.stop() }
}

/** Starts an export and moves it to a queue that the service does not serve. */
async function queueExport(workspaceId: string): Promise<string> {
  const id = `doc_${String(Date.now()).padStart(26, '0')}`
  const input = { format: 'jsonl', from: '2000-01-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z', filters: {} }
  await audit.sql(
    `INSERT INTO platform.jobs (id, queue, workspace_id, input, caller) VALUES ($1, 'interrupted', $2, $3, $4)`,
    [id, workspaceId, JSON.stringify(input), JSON.stringify({ ...audit.caller, workspaceId, requestId: 'req-x' })],
  )
  return id
}

describe('an export whose process died after a checkpoint', () => {
  it('is continued there by another, and the late process changes nothing', async () => {
    const { caller, id, released, ended, stop } = await interruptedExport()
    const [before] = await audit.sql<{ detail: { recordCount: number } }>(
      'SELECT detail FROM platform.jobs WHERE id = $1',
      [id],
    )
    expect(before?.detail.recordCount).toBeGreaterThan(0)
    expect(before?.detail.recordCount).toBeLessThan(1_600)
    await audit.sql(`UPDATE platform.jobs SET queue = $2, lease_until = now() - interval '1 s' WHERE id = $1`, [
      id,
      exportQueue,
    ])
    const doc = await audit.waitForEnd(id, caller)
    released.resolve()
    expect(await ended).toBeInstanceOf(Error)
    await stop()
    const { body } = await audit.content(id, caller)
    expect(doc).toMatchObject({
      status: 'finished',
      record_count: 1_600,
      sha256: createHash('sha256').update(body).digest('hex'),
    })
    const seqs = String(body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).seq)
    expect(seqs).toEqual(Array.from({ length: 1_600 }, (_, index) => index + 1))
    expect(await audit.events(id, 'AUDIT_DOC_FINISHED')).toHaveLength(1)
  })

  it('begins again when its content was deleted during the run', async () => {
    const { caller, id, released, ended, stop } = await interruptedExport()
    await audit.sql('DELETE FROM audit_exports WHERE id = $1', [id])
    released.resolve()
    expect(await ended).toBeUndefined()
    await stop()
    await audit.sql('UPDATE platform.jobs SET queue = $2 WHERE id = $1', [id, exportQueue])
    expect(await audit.waitForEnd(id, caller)).toMatchObject({ status: 'finished', record_count: 1_600 })
    expect(String((await audit.content(id, caller)).body).split('\n')).toHaveLength(1_601)
  })
})

it('an export of 2,500 records is written in parts of bounded size, from pages of bounded size', async () => {
  const caller = newWorkspace()
  await audit.insertRecords(caller.workspaceId, 2_500)
  const id = await audit.start(caller, { format: 'csv' })
  const doc = await audit.waitForEnd(id, caller)
  expect(doc).toMatchObject({ status: 'finished', record_count: 2_500, last_seq: 2_500 })
  const [sizes] = await audit.sql<{ parts: number; largest: number; total: number }>(
    `SELECT count(*)::int AS parts, max(length(content)) AS largest, sum(length(content))::int AS total
     FROM audit_export_parts WHERE export_id = $1`,
    [id],
  )
  expect(sizes?.largest).toBeLessThanOrEqual(maxPartBytes)
  expect(sizes?.parts).toBeGreaterThan(doc.bytes / maxPartBytes)
  expect(sizes?.total).toBe(doc.bytes)
})
