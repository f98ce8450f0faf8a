import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { addMember } from '../fixture/members.ts'
import { runs, startRunHarness } from '../fixture/run-harness.ts'
import { evaluationCalls, evaluations, sets } from './evaluation-harness.ts'

const harness = await startRunHarness({ services: ['auth', 'data', 'integrations', 'ai'] })
const calls = evaluationCalls(harness)
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

describe('a case', () => {
  it('is checked by every part of what is expected', async () => {
    const agent = await harness.agent()
    harness.model.replyAlways(({ body }) =>
      JSON.stringify(body.messages).includes('JSON')
        ? { text: '```json\n{"a":[{"b":2}]}\n```' }
        : { text: 'It is 44.' },
    )
    const set = await calls.createSet([
      { name: 'answer', input: '1', expected: { answer: ' it IS  44' } },
      { name: 'contains', input: '2', expected: { contains: ['44', '45'] } },
      { name: 'not contains', input: '3', expected: { not_contains: ['44'] } },
      { name: 'matches', input: '4', expected: { matches: '\\b\\d{2}\\b' } },
      { name: 'fields', input: 'JSON', expected: { fields: [{ pointer: '/a/0/b', equals: 2 }] } },
      { name: 'other fields', input: 'JSON', expected: { fields: [{ pointer: '/a/1', equals: 2 }] } },
      { name: 'no JSON', input: '7', expected: { fields: [{ pointer: '', equals: 2 }] } },
    ])
    const { id } = await calls.evaluate(agent, set)
    const results = await calls.results(id)
    expect(results.map((result: { name: string; reason: string | null }) => [result.name, result.reason])).toEqual([
      ['answer', null],
      ['contains', 'The answer lacks “45”'],
      ['not contains', 'The answer contains “44”'],
      ['matches', null],
      ['fields', null],
      ['other fields', 'Expected 2 at /a/1, got nothing'],
      ['no JSON', 'The answer is not JSON'],
    ])
    expect(await calls.results(id, '&outcome=failed')).toHaveLength(4)
    expect(results[0]).toMatchObject({ answer: 'It is 44.', run_id: expect.stringMatching(/^run_/) })
    expect(results[0].usage.total_tokens).toBeGreaterThan(0)
  })

  it('is graded by a model where it demands one, and is no pass without a verdict', async () => {
    const agent = await harness.agent()
    const grader = { instructions: 'Is it polite?' }
    const inputs = ['polite', 'rude', 'strange']
    harness.model.replyAlways(({ body }) => {
      const prompt = JSON.stringify(body.messages)
      if (!prompt.includes('You grade the answer')) return { text: inputs.find((each) => prompt.includes(each)) ?? '' }
      if (prompt.includes('strange')) return { text: 'I would say so.' }
      return { text: `{"passed": ${!prompt.includes('rude')}, "reason": "It is or is not."}` }
    })
    const lacking = await harness.call('POST', sets, { body: { name: 'Without a model' } })
    const refused = await harness.call('POST', `${sets}/${lacking.body.data.id}/cases`, {
      body: { input: 'polite', expected: { grader } },
    })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/expected/grader' }] } })
    const set = await calls.createSet(
      inputs.map((input) => ({ input, expected: { grader } })),
      { grader: { provider: 'default' } },
    )
    const { id, summary } = await calls.evaluate(agent, set)
    expect(summary).toMatchObject({ passed: 1, failed: 1, errors: 1 })
    const results = await calls.results(id)
    expect(results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['passed', 'failed', 'error'])
    expect(results[1].checks).toEqual([{ check: 'grader', passed: false, reason: 'It is or is not.' }])
    const removed = await harness.call('PATCH', `${sets}/${set}`, { body: { grader: null } })
    expect(removed).toMatchObject({ status: 400, body: { errors: [{ pointer: '/grader' }] } })
  })

  it('calls no tool that acts, and says which were refused', async () => {
    const agent = await harness.agent({ tools: ['start_forecast', 'list_sources'] })
    harness.model.reply(
      {
        toolCalls: [
          { name: 'start_forecast', input: {} },
          { name: 'list_sources', input: {} },
        ],
      },
      { text: 'I would forecast.' },
    )
    const set = await calls.createSet([{ input: 'Forecast', expected: { contains: ['forecast'] } }])
    const { id } = await calls.evaluate(agent, set)
    const [result] = await calls.results(id)
    expect(result).toMatchObject({ outcome: 'passed', refused_tools: ['start_forecast'] })
    const { steps } = (await harness.call('GET', `${runs}/${result.run_id}`)).body.data
    expect(steps.map(({ tool, status }: { tool: string; status: string }) => [tool, status])).toEqual([
      ['start_forecast', 'denied'],
      ['list_sources', 'finished'],
    ])
  })
})

describe('an evaluation', () => {
  it('ends at its bound of tokens and at the budget of the agent, with the results so far', async () => {
    harness.model.replyAlways({ text: 'Yes.', usage: [900, 100] })
    const cases = Array.from({ length: 20 }, (_, index) => ({ input: `Is it ${index}?`, expected: { answer: 'yes' } }))
    const set = await calls.createSet(cases)
    const { id } = await calls.start(await harness.agent(), set, { max_tokens: 3_000 })
    const ended = await calls.waitForEnd(id)
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'token_limit_reached' } })
    expect(ended.summary.passed).toBeGreaterThan(0)
    expect(ended.usage.total_tokens).toBeLessThanOrEqual(8_000)
    const limited = await calls.start(await harness.agent({ budget: { runs_per_day: 2 } }), set)
    expect(await calls.waitForEnd(limited.id)).toMatchObject({ status: 'failed', error: { code: 'quota_exceeded' } })
  })

  it('is cancelled with its runs', async () => {
    const silence = Promise.withResolvers<void>()
    harness.model.replyAlways({ beforeHead: silence.promise, text: 'Late.' })
    const set = await calls.createSet([{ input: 'Is it?', expected: { answer: 'yes' } }])
    const { id } = await calls.start(await harness.agent(), set)
    await harness.model.request(0)
    expect(await calls.data('POST', `${evaluations}/${id}/cancel`)).toMatchObject({ status: 'cancelled' })
    await eventually(async () => (await calls.data('GET', `${runs}?evaluation_id=${id}`))[0].status === 'cancelled', {
      description: 'the cancellation of its run',
    })
    silence.resolve()
    expect(await calls.data('DELETE', `${evaluations}/${id}`)).toMatchObject({ deleted: true })
  })
})

describe('the cases of a set', () => {
  it.each([
    ['{"a":1} is what?', { answer: 'x' }, 'the input would be read as JSON'],
    ['Which?', { contains: ['a|b'] }, '“a|b” would be divided or trimmed'],
  ])('are not exported as CSV when it would be read as another case: %s', async (input, expected, reason) => {
    const set = await calls.createSet([{ input, expected }])
    const { response } = await harness.open(`${sets}/${set}/export?format=csv`)
    const detail = `csv cannot hold the case “${input}”: ${reason}; export jsonl`
    expect(await response.json()).toMatchObject({ status: 400, errors: [{ pointer: '?format', detail }] })
  })

  it('are exported and imported again, and errors name line and field', async () => {
    const cases = [
      { name: '=1+1', input: 'He said "yes;=no"', expected: { answer: "'-5", contains: ['x', '+y'] } },
      { name: null, input: { city: 'Berlin' }, expected: { fields: [{ pointer: '/a', equals: 1 }], matches: 'x|y' } },
    ]
    const set = await calls.createSet(cases.map(({ name, ...each }) => (name === null ? each : { name, ...each })))
    for (const format of ['jsonl', 'csv']) {
      const content = await (await harness.open(`${sets}/${set}/export?format=${format}`)).response.text()
      if (format === 'csv') expect(content).toContain(`\r\n'=1+1,"He said ""yes;'=no""",''-5,x|'+y,`)
      const copy = await calls.createSet([])
      const imported = await calls.data('POST', `${sets}/${copy}/import`, { format, content })
      expect(imported).toMatchObject({ imported: 2, set: { cases: 2, revision: 2 } })
      const listed = await calls.data('GET', `${sets}/${copy}/cases`)
      const pairs = listed.map(({ name, input, expected }: (typeof cases)[number]) => ({ name, input, expected }))
      expect(pairs).toEqual(expect.arrayContaining(cases))
    }
    const content = 'name,input,answer,matches\na,Why?,Because,\nb,How?,,[\n,,x,\n'
    const refused = await harness.call('POST', `${sets}/${set}/import`, { body: { format: 'csv', content } })
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect(refused.body.errors.map(({ detail }: { detail: string }) => detail)).toEqual([
      expect.stringMatching(/^line 3: expected\/matches is not a regular expression/),
      expect.stringMatching(/^line 4: input /),
    ])
    expect(await calls.data('GET', `${sets}/${set}`)).toMatchObject({ cases: 2 })
  })

  it('number at most 1,000', async () => {
    const set = await calls.createSet([])
    const content = `${JSON.stringify({ input: 'a', expected: { answer: 'b' } })}\n`.repeat(1_001)
    const refused = await harness.call('POST', `${sets}/${set}/import`, { body: { format: 'jsonl', content } })
    expect(refused).toMatchObject({ status: 403, body: { code: 'quota_exceeded' } })
  })
})

describe('feedback', () => {
  it('on an answer becomes a case with the corrected answer', async () => {
    harness.model.replyAlways({ text: 'It has 40 desks.' })
    const { id: runId } = (await harness.run(await harness.agent(), { input: 'How many desks?' })).body.data
    const rated = await calls.data('POST', `${runs}/${runId}/feedback`, { rating: 'down', comment: 'It has 44' })
    expect(rated).toMatchObject({ run_id: runId, rating: 'down' })
    await calls.data('POST', `${runs}/${runId}/feedback`, { rating: 'up' })
    const listed = await calls.data('GET', `/v1/ai/feedback?run_id=${runId}`)
    expect(listed).toEqual([expect.objectContaining({ rating: 'up', comment: '' })])
    const set = await calls.createSet([])
    const corrected = await calls.data('POST', `${sets}/${set}/cases`, {
      run_id: runId,
      expected: { answer: 'It has 44 desks.' },
    })
    expect(corrected).toMatchObject({
      input: 'How many desks?',
      run_id: runId,
      expected: { answer: 'It has 44 desks.' },
    })
    const graded = await calls.createSet([], { grader: { provider: 'default' } })
    expect(await calls.data('POST', `${sets}/${graded}/cases`, { run_id: runId })).toMatchObject({
      expected: { answer: 'It has 40 desks.', grader: { instructions: expect.any(String) } },
    })
  })

  it('and cases reveal no conversation of another principal', async () => {
    harness.model.replyAlways({ text: 'A secret.' })
    const messages = [{ role: 'user', content: 'Tell me' }]
    const as = await addMember(harness, 'member')
    const chat = await harness.call('POST', '/v1/ai/chat', { as, body: { messages, model: { provider: 'default' } } })
    const { run_id: runId } = chat.body.data
    expect(await harness.call('POST', `${runs}/${runId}/feedback`, { as, body: { rating: 'up' } })).toMatchObject({
      status: 200,
    })
    const set = await calls.createSet([])
    const refused = await harness.call('POST', `${sets}/${set}/cases`, { body: { run_id: runId } })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/run_id' }] } })
    expect(await harness.call('POST', `${runs}/${runId}/feedback`, { body: { rating: 'up' } })).toMatchObject({
      status: 404,
    })
    expect(await calls.data('GET', `/v1/ai/feedback?run_id=${runId}`)).toEqual([])
  })
})
