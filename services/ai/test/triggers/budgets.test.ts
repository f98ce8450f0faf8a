import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { startRunHarness } from '../fixture/run-harness.ts'

const harness = await startRunHarness({ services: ['auth', 'data', 'ai'] })
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

/** A step of 100 tokens that asks for another one. */
const step = { text: 'Looking.', toolCalls: [{ name: 'list_sources', input: {} }], usage: [80, 20] as [number, number] }

describe('a budget of tokens', () => {
  it('ends a run after the step that reaches it, and the run keeps what it has', async () => {
    const agent = await harness.agent({ tools: ['list_sources'] })
    harness.model.replyAlways(step)
    const run = (await harness.run(agent, { max_tokens: 250, max_steps: 50 })).body.data
    expect(run).toMatchObject({ status: 'finished', finish_reason: 'budget', usage: { total_tokens: 300 } })
    expect(run.output).toContain('Looking.')
    expect(run.steps).toHaveLength(2)
    expect(run.warnings).toEqual([
      {
        code: 'budget_reached',
        message: 'The budget of the run, 250 tokens, is used up, so the run ended before its next step',
      },
    ])
  })

  it('of an agent counts every run of the day, and a lower one stops runs in progress', async () => {
    const agent = await harness.agent({ tools: ['list_sources'], budget: { tokens_per_day: 250 } })
    harness.model.reply(step, { text: 'Done.', usage: [80, 20] })
    expect((await harness.run(agent)).body.data).toMatchObject({ finish_reason: 'stop', usage: { total_tokens: 200 } })
    harness.model.replyAlways(step)
    expect((await harness.run(agent, { max_steps: 50 })).body.data).toMatchObject({
      finish_reason: 'budget',
      usage: { total_tokens: 100 },
      warnings: [{ message: expect.stringContaining('The budget of the agent, 250 tokens a day (UTC)') }],
    })
    expect(await harness.run(agent)).toMatchObject({
      status: 403,
      body: { code: 'quota_exceeded', detail: 'The budget of the agent, 250 tokens a day (UTC), is used up' },
    })
    const yesterday = `UPDATE runs SET created_at = created_at - interval '1 day' WHERE agent_id = $1`
    await harness.rows(yesterday, [agent])
    harness.model.reset()
    const lower = () =>
      harness.call('PATCH', `/v1/agents/agents/${agent}`, { body: { budget: { tokens_per_day: 90 } } })
    harness.model.reply(() => ({ ...step, beforeHead: lower() }))
    expect((await harness.run(agent)).body.data).toMatchObject({ finish_reason: 'budget' })
  })
})

describe('a budget of runs', () => {
  it('is kept by requests at the same time', async () => {
    const agent = await harness.agent({ budget: { runs_per_day: 3 } })
    harness.model.replyAlways({ text: 'Done.' })
    const answers = await Promise.all(Array.from({ length: 10 }, () => harness.run(agent)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(7)
    expect(await harness.run(await harness.agent())).toMatchObject({ status: 200 })
  })
})
