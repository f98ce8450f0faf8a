import { afterAll, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { startRunHarness } from '../fixture/run-harness.ts'
import { evaluationCalls, sets } from './evaluation-harness.ts'

const harness = await startRunHarness({ processes: ['ai'], services: ['auth', 'ai'] })
afterAll(() => harness.stop())

it('each case has exactly one result though the service is killed again and again', async () => {
  const calls = evaluationCalls(harness)
  harness.model.replyAlways(({ body }) => ({ text: JSON.stringify(body.messages).includes('odd') ? 'No.' : 'Yes.' }))
  const count = 60
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
  for (const reached of [1, 20, 40]) {
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
