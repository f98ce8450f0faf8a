import { afterAll, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { runs, startRunHarness } from '../fixture/run-harness.ts'

const harness = await startRunHarness({ processes: ['ai'], services: ['auth', 'ai'] })
afterAll(() => harness.stop())

const [eventCount, timeCount] = [30, 10]

it('each occasion has exactly one run though the service is killed again and again', async () => {
  const [watched, reporter] = [await harness.agent(), await harness.agent()]
  const path = `/v1/agents/agents/${reporter}/triggers`
  const create = async (on: object) =>
    (await harness.call('POST', path, { body: { on, input: 'Which?' } })).body.data.id
  // A run that is killed in the middle of a call fails, and its end is an occasion, too.
  const ofWatched = { filter: { all: { agent_id: watched } } }
  const atEvents = [
    await create({ event: 'AGENT_RUN_FINISHED', ...ofWatched }),
    await create({ event: 'AGENT_RUN_FAILED', ...ofWatched }),
  ]
  const atTimes = await Promise.all(Array.from({ length: timeCount }, () => create({ schedule: '0 7 1 1 *' })))
  harness.model.replyAlways({ text: 'Done.' })
  const started = await Promise.all(Array.from({ length: eventCount }, () => harness.start(watched)))
  await harness.rows(`UPDATE triggers SET next_run_at = now() - interval '1 minute' WHERE id = ANY ($1)`, [atTimes])
  await create({ schedule: '0 7 1 1 *' }) // has the schedule look again
  const countRuns = async () => {
    const rows = await harness.rows<{ count: string }>('SELECT count(*) FROM runs WHERE trigger_id IS NOT NULL')
    return Number(rows[0]?.count)
  }
  for (const reached of [1, 15, 30]) {
    await eventually(async () => (await countRuns()) >= reached, { description: `${reached} runs of triggers` })
    await harness.replaceProcess()
  }
  for (const id of started) await harness.waitForEnd(id)
  const ends = await harness.rows(
    `SELECT FROM platform.outbox
     WHERE kind IN ('AGENT_RUN_FINISHED', 'AGENT_RUN_FAILED') AND data ->> 'agent_id' = $1`,
    [watched],
  )
  expect(ends).toHaveLength(eventCount)
  await eventually(async () => (await countRuns()) >= ends.length + timeCount, { description: 'all runs of triggers' })
  const inputs = await harness.rows<{ input: string }>(
    `SELECT job.input ->> 'shown' AS input FROM runs JOIN platform.jobs AS job ON job.id = runs.run_id
     WHERE trigger_id = ANY ($1)`,
    [atEvents],
  )
  expect(new Set(inputs.map(({ input }) => input)).size).toBe(ends.length)
  expect(inputs).toHaveLength(ends.length)
  for (const id of atTimes) expect((await harness.call('GET', `${runs}?trigger_id=${id}`)).body.data).toHaveLength(1)
})
