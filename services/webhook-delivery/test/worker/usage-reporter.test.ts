import { afterAll, expect, it } from '@jest/globals'
import { connectDatabase, newId } from '@wp/database'
import { createScheduleWorker } from '@wp/jobs/background'
import { noLog, type Worker } from '@wp/runtime'
import { createTestDatabase, eventually } from '@wp/testkit'
import { PrismaClient } from '#db'
import { usageReportSchedule } from '../../src/worker/usage-reporter.ts'

const reporters: Worker[] = []
const testDatabase = await createTestDatabase('webhook-delivery')
const { url, workerUrl } = testDatabase
const database = connectDatabase({ url, workerUrl, shard: 'test', prisma: (adapter) => new PrismaClient({ adapter }) })
afterAll(async () => {
  await Promise.all(reporters.map((reporter) => reporter.stop()))
  await database.close()
  await testDatabase.drop()
})

it('reports the deliveries of every workspace once when two replicas report', async () => {
  const workspaces = Array.from({ length: 60 }, () => newId('ws'))
  await database.worker.query(
    `INSERT INTO delivered_counts (workspace_id, delivered) SELECT id, n FROM unnest($1::text[]) WITH ORDINALITY AS t (id, n)`,
    [workspaces],
  )
  for (let n = 0; n < 2; n += 1)
    reporters.push(createScheduleWorker(usageReportSchedule({ database }), { database, log: noLog }))
  await Promise.all(reporters.map((reporter) => reporter.start()))
  await eventually(async () => {
    const { rows } = await database.worker.query('SELECT FROM delivered_counts')
    return rows.length === 0
  })
  await Promise.all(reporters.map((reporter) => reporter.stop()))
  const { rows } = await database.worker.query<{ workspaceId: string; quantity: number }>(
    `SELECT workspace_id, (data->>'quantity')::int AS quantity FROM platform.outbox WHERE kind = 'USAGE_RECORDED'`,
  )
  const reported = new Map(rows.map((row) => [row.workspaceId, row.quantity]))
  expect(rows).toHaveLength(workspaces.length)
  expect(workspaces.map((id) => reported.get(id))).toEqual(workspaces.map((_, index) => index + 1))
})
