import { afterAll, afterEach, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { evaluationCalls, sets } from '../evaluations/evaluation-harness.ts'
import { runs, startRunHarness } from '../fixture/run-harness.ts'

const harness = await startRunHarness({ processes: ['ai'], services: ['auth', 'ai'] })
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

const [eventCount, timeCount] = [20, 5]

it('each occasion of a trigger has exactly one run though the service is killed again and again', async () => {
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
  for (const reached of [1, 15]) {
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

it('each case of an evaluation has exactly one result though the service is killed again and again', async () => {
  const calls = evaluationCalls(harness)
  harness.model.replyAlways(({ body }) => ({ text: JSON.stringify(body.messages).includes('odd') ? 'No.' : 'Yes.' }))
  const count = 40
  const cases = Array.from({ length: count }, (_, index) => ({
    input: `Case ${index} is ${index % 2 === 0 ? 'even' : 'odd'}?`,
    expected: { answer: 'yes' },
  }))
  const { id } = await calls.start(await harness.agent(), await calls.createSet(cases))
  const countEnded = async () => {
    const [row] = await harness.rows<{ count: string }>(
      `SELECT count(*) FROM evaluation_results WHERE evaluation_id = $1 AND status = 'finished'`,
      [id],
    )
    return Number(row?.count)
  }
  for (const reached of [1, 20]) {
    await eventually(async () => (await countEnded()) >= reached, { description: `${reached} results` })
    await harness.replaceProcess()
  }
  const ended = await calls.waitForEnd(id)
  expect(ended).toMatchObject({ status: 'finished', summary: { cases: count, passed: count / 2, failed: count / 2 } })
  const results = await calls.results(id)
  expect(new Set(results.map(({ case_id }: { case_id: string }) => case_id)).size).toBe(count)
  const [runs] = await harness.rows<{ results: string; open: string }>(
    `SELECT (SELECT count(DISTINCT run_id) FROM evaluation_results WHERE evaluation_id = $1) AS results,
       (SELECT count(*) FROM runs WHERE evaluation_id = $1 AND ended_at IS NULL) AS open`,
    [id],
  )
  expect(runs).toEqual({ results: String(count), open: '0' })
})

it('an evaluation of 1,000 cases does not hold up the run of another workspace, nor one of its own', async () => {
  const calls = evaluationCalls(harness)
  const silence = Promise.withResolvers<void>()
  harness.model.replyAlways(({ body }) =>
    JSON.stringify(body.messages).includes('slow')
      ? { beforeHead: silence.promise, text: 'Yes.' }
      : { text: 'At once.' },
  )
  const agent = await harness.agent()
  const set = await calls.createSet([])
  const content = `${JSON.stringify({ input: 'Is it slow?', expected: { answer: 'yes' } })}\n`.repeat(1_000)
  await calls.data('POST', `${sets}/${set}/import`, { format: 'jsonl', content })
  const started = await Promise.all([1, 2, 3].map(() => calls.start(agent, set)))
  const countBusy = async () =>
    (await harness.rows(`SELECT FROM evaluation_results WHERE status IN ('answering', 'grading')`)).length
  await eventually(async () => (await countBusy()) >= 8, { description: 'the cases in progress' })
  const stranger = await harness.agent({}, harness.stranger)
  const other = await harness.run(stranger, { input: 'Now?' }, { as: harness.stranger })
  expect(other.body.data).toMatchObject({ status: 'finished', output: 'At once.' })
  expect((await harness.run(agent, { input: 'And now?' })).body.data).toMatchObject({ status: 'finished' })
  expect(await countBusy()).toBe(8)
  for (const { id } of started) await calls.data('POST', `/v1/agents/evaluations/${id}/cancel`)
  silence.resolve()
})
