import { afterAll, afterEach, expect, it } from '@jest/globals'
import { startService } from '@wp/service'
import { eventually } from '@wp/testkit'
import { definition } from '../../src/index.ts'
import { startRunHarness } from '../fixture/run-harness.ts'

/** 80 tokens in and 20 out cost 9 cents. */
const price = { currency: 'EUR', input: 50_000, output: 250_000 }
const usage: [number, number] = [80, 20]
const stepCost = 9

const aiEnv = { AI_MODEL_PRICE: JSON.stringify(price) }
const harness = await startRunHarness({ services: ['auth', 'data', 'ai'] }, aiEnv)
const replica = await startService(definition, { ...harness.fleet.env('ai'), PORT: '0' })
afterEach(async () => {
  harness.model.reset()
  await setBudget({ cost_per_day: null, runs_per_day: null })
  await harness.rows(`UPDATE runs SET created_at = created_at - interval '1 day'`)
})
afterAll(async () => {
  await replica.stop()
  await harness.stop()
})

const setBudget = async (body: object) => {
  expect(await harness.call('PATCH', '/v1/agents/budget', { body })).toMatchObject({ status: 200 })
}
const readUse = async () => (await harness.call('GET', '/v1/agents/budget')).body.data.used_today

/** Two agents that trigger each other at the end of a run. @returns the first one and the triggers */
async function createLoop() {
  const [first, second] = [await harness.agent(), await harness.agent()]
  const triggers = []
  for (const [agent, watched] of [
    [second, first],
    [first, second],
  ]) {
    const on = { event: 'AGENT_RUN_FINISHED', filter: { all: { agent_id: watched } } }
    const path = `/v1/agents/agents/${agent}/triggers`
    const created = await harness.call('POST', path, { body: { on, input: 'Go on' } })
    triggers.push(`${path}/${created.body.data.id}`)
  }
  harness.model.replyAlways({ text: 'Done.', usage })
  return { first, triggers }
}

async function waitForSkipped(triggers: readonly string[]): Promise<string[]> {
  const read = async () => {
    const all = await Promise.all(triggers.map((path) => harness.call('GET', path)))
    return all.flatMap(({ body }) => body.data.last_skipped?.reason ?? [])
  }
  await eventually(async () => (await read()).length > 0, { description: 'the end of the loop' })
  return read()
}

it('a loop of two agents ends within the money of the workspace', async () => {
  const { first, triggers } = await createLoop()
  await setBudget({ cost_per_day: { amount: 15, currency: 'EUR' } })
  await harness.run(first)
  expect(await waitForSkipped(triggers)).toEqual(['The budget of the workspace, EUR 0.15 a day (UTC), is used up'])
  expect(await readUse()).toEqual({
    runs: 2,
    tokens: 200,
    cost: { amount: 2 * stepCost, currency: 'EUR' },
    runs_without_cost: 0,
  })
})

it('a loop of two agents ends within the runs of the workspace', async () => {
  const { first, triggers } = await createLoop()
  await setBudget({ runs_per_day: 3 })
  await harness.run(first)
  expect(await waitForSkipped(triggers)).toEqual(['The budget of the workspace, 3 runs a day (UTC), is used up'])
  expect((await readUse()).runs).toBe(3)
})

it('ten runs at once on two replicas exceed the money of the workspace by one step each at most', async () => {
  const [limit, count] = [200, 10]
  const agent = await harness.agent({ tools: ['list_sources'] })
  await setBudget({ cost_per_day: { amount: limit, currency: 'EUR' } })
  harness.model.replyAlways({ text: 'Looking.', toolCalls: [{ name: 'list_sources', input: {} }], usage })
  const ids = await Promise.all(Array.from({ length: count }, () => harness.start(agent, { max_steps: 50 })))
  const ended = await Promise.all(ids.map((id) => harness.waitForEnd(id)))
  for (const run of ended)
    expect(run).toMatchObject({
      status: 'finished',
      finish_reason: 'budget',
      warnings: [{ message: expect.stringContaining('The budget of the workspace, EUR 2.00 a day (UTC), is used up') }],
    })
  const { cost } = await readUse()
  expect(cost.amount).toBeGreaterThanOrEqual(limit)
  expect(cost.amount).toBeLessThan(limit + count * stepCost)
  expect(ended.reduce((sum, run) => sum + run.cost.amount, 0)).toBeCloseTo(cost.amount, 6)
})
