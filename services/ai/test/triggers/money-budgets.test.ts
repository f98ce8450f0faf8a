import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { startRunHarness } from '../fixture/run-harness.ts'

const harness = await startRunHarness({ services: ['auth', 'integrations', 'data', 'ai'] })
const body = { name: 'Models', provider: 'openai_compatible', config: { base_url: harness.model.url } }
const integration = (await harness.call('POST', '/v1/integrations/integrations', { body })).body.data.integration_id
await harness.call('POST', `/v1/integrations/integrations/${integration}/test`)
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

const price = { model: 'test-model', currency: 'EUR', input: 50_000, output: 250_000, cached_input: 10_000 }
const setPrices = async (prices: object[]) => {
  const body = { config: { prices } }
  const changed = await harness.call('PATCH', `/v1/integrations/integrations/${integration}`, { body })
  expect(changed).toMatchObject({ status: 200 })
  await harness.call('POST', `/v1/integrations/integrations/${integration}/test`)
}
const model = () => ({ provider: integration, id: 'test-model' })
/** 80 tokens in and 20 out cost 9 cents. */
const step = { text: 'Looking.', toolCalls: [{ name: 'list_sources', input: {} }], usage: [80, 20] as [number, number] }
const euros = (amount: number) => ({ amount, currency: 'EUR' })

describe('a budget in money', () => {
  it('is refused by its field without a price of the model in its currency', async () => {
    await setPrices([])
    const create = (fields: object) =>
      harness.call('POST', '/v1/agents/agents', { body: { name: 'Assistant', model: model(), ...fields } })
    const refusal = (pointer: string) => ({ status: 400, body: { errors: [{ pointer }] } })
    expect(await create({ budget: { cost_per_run: euros(100) } })).toMatchObject(refusal('/budget/cost_per_run'))
    await setPrices([price])
    const dollars = { amount: 100, currency: 'USD' }
    expect(await create({ budget: { cost_per_day: dollars } })).toMatchObject(refusal('/budget/cost_per_day'))
    const created = await create({ budget: { cost_per_day: euros(100) } })
    expect(created).toMatchObject({ status: 201, body: { data: { budget: { cost_per_day: euros(100) } } } })
    const { agent_id: agent } = created.body.data
    const other = await harness.call('PATCH', `/v1/agents/agents/${agent}`, {
      body: { model: { provider: 'default' } },
    })
    expect(other).toMatchObject(refusal('/budget/cost_per_day'))
    const trigger = { on: { schedule: '0 7 1 1 *' }, input: 'Which?', budget: { cost_per_run: dollars } }
    expect(await harness.call('POST', `/v1/agents/agents/${agent}/triggers`, { body: trigger })).toMatchObject(
      refusal('/budget/cost_per_run'),
    )
    expect(await harness.run(agent, { max_cost: dollars })).toMatchObject(refusal('/max_cost'))
  })

  it('of the agent or a trigger refuses a change to a model without a price', async () => {
    await setPrices([price])
    const agent = await harness.agent({ model: model() })
    const path = `/v1/agents/agents/${agent}`
    const unpriced = { model: { provider: 'default' } }
    const { version } = (await harness.call('POST', `${path}/versions`, { body: unpriced })).body.data
    const activate = () => harness.call('POST', `${path}/versions/${version}/activate`, { body: {} })
    const refusal = (pointer: string, detail: string) => ({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer, detail: expect.stringMatching(detail) }] },
    })
    const on = { schedule: '0 7 1 1 *' }
    const body = { on, input: 'Which?', budget: { cost_per_run: euros(100) } }
    const { id } = (await harness.call('POST', `${path}/triggers`, { body })).body.data
    const ofTrigger = `^\`cost_per_run\` of trigger ${id} requires a price of the model in EUR`
    expect(await harness.call('PATCH', path, { body: unpriced })).toMatchObject(refusal('/model', ofTrigger))
    expect(await activate()).toMatchObject(refusal('/version', ofTrigger))
    expect(await harness.call('PATCH', path, { body: { model: { provider: 'local' } } })).toMatchObject({ status: 200 })
    await harness.call('DELETE', `${path}/triggers/${id}`)
    await harness.call('PATCH', path, { body: { budget: { cost_per_day: euros(100) } } })
    expect(await activate()).toMatchObject(refusal('/version', '^`cost_per_day` of the agent requires'))
    await harness.call('PATCH', path, { body: { budget: { cost_per_day: null } } })
    expect(await activate()).toMatchObject({ status: 200 })
  })

  it('ends a run after the step that reaches it, with what it has and what it cost', async () => {
    await setPrices([price])
    const agent = await harness.agent({ model: model(), tools: ['list_sources'] })
    harness.model.replyAlways(step)
    const run = (await harness.run(agent, { max_cost: euros(20), max_steps: 50 })).body.data
    expect(run).toMatchObject({ status: 'finished', finish_reason: 'budget', cost: euros(27) })
    expect(run.output).toContain('Looking.')
    expect(run.warnings).toEqual([
      {
        code: 'budget_reached',
        message: 'The budget of the run, EUR 0.20, is used up, so the run ended before its next step',
      },
    ])
  })

  it('refuses a run whose price was removed, and says which budget requires it', async () => {
    await setPrices([price])
    const agent = await harness.agent({ model: model(), budget: { cost_per_day: euros(100) } })
    await setPrices([])
    expect((await harness.run(agent)).body.data).toMatchObject({
      status: 'failed',
      cost: null,
      error: {
        code: 'model_rejected',
        message:
          'The model has no price in EUR, which `cost_per_day` of the agent requires: state one in its integration',
      },
    })
    expect(harness.model.requests).toHaveLength(0)
  })

  it('of the workspace refuses runs of models without a price, and lets free ones run', async () => {
    await setPrices([])
    const agent = await harness.agent({ model: model() })
    const setBudget = (cost_per_day: object | null) =>
      harness.call('PATCH', '/v1/agents/budget', { body: { cost_per_day } })
    await setBudget(euros(100))
    expect((await harness.run(agent)).body.data.error.message).toContain('`cost_per_day` of the workspace')
    const free = await harness.agent({ model: { provider: 'local' } })
    expect((await harness.run(free)).body.data).toMatchObject({ status: 'finished', cost: null })
    await setBudget(null)
    harness.model.reply({ text: 'Done.', usage: [80, 20] })
    expect((await harness.run(agent)).body.data).toMatchObject({ status: 'finished', cost: null })
    const { used_today: use } = (await harness.call('GET', `/v1/agents/agents/${agent}/budget`)).body.data
    expect(use).toEqual({ runs: 2, tokens: 100, cost: null, runs_without_cost: 1 })
  })
})

it('tokens from the cache of the provider cost what the price states for them', async () => {
  await setPrices([price])
  const agent = await harness.agent({ model: model() })
  const chunk = {
    choices: [{ index: 0, delta: { content: 'Done.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 60 } },
  }
  harness.model.reply({ stream: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n` })
  // 40 at 0.05, 60 at 0.01 and 10 at 0.25 cents.
  expect((await harness.run(agent)).body.data).toMatchObject({ status: 'finished', cost: euros(5.1) })
})

it('the price of a model is stated once', async () => {
  const body = { config: { prices: [price, price] } }
  const refused = await harness.call('PATCH', `/v1/integrations/integrations/${integration}`, { body })
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/config/prices/1/model' }] } })
})
