import { afterAll, expect, it } from '@jest/globals'
import { connectDatabase } from '@wp/database'
import { deleteExpired } from '@wp/jobs/background'
import { createTestDatabase } from '@wp/testkit'
import { eventRetention } from '../../src/store/runs/run-events.ts'

const server = await createTestDatabase('ai')
const database = connectDatabase({ url: server.url, workerUrl: server.workerUrl, prisma: () => ({}), shard: 'test' })
afterAll(async () => {
  await database.close()
  await server.drop()
})

it('events are deleted 30 days after the end of their run, not while it is in progress', async () => {
  const days = (count: number) => `now() - interval '${count} days'`
  const runs = [
    ['old', days(40), days(31)],
    ['ended_lately', days(40), days(29)],
    ['in_progress', days(40), 'NULL'],
  ]
  for (const [id, created, ended] of runs)
    await database.worker.query(
      `WITH run AS (INSERT INTO runs (run_id, workspace_id, created_at, ended_at) VALUES ('${id}', 'ws', ${created}, ${ended}))
       INSERT INTO run_events (run_id, seq, workspace_id, chunk, created_at) VALUES ('${id}', 1, 'ws', '{}', ${created})`,
    )
  const left = async () =>
    (await database.worker.query<{ runId: string }>('SELECT run_id FROM run_events ORDER BY run_id')).rows.map(
      ({ runId: id }) => id,
    )
  expect(await deleteExpired(database.worker, eventRetention(30))).toBe(1)
  expect(await left()).toEqual(['ended_lately', 'in_progress'])
})
