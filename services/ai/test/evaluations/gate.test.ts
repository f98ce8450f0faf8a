import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import type { ModelRequest } from '@wp/testkit'
import { createKey } from '../fixture/members.ts'
import { runs, startRunHarness } from '../fixture/run-harness.ts'
import { evaluationCalls } from './evaluation-harness.ts'

const harness = await startRunHarness({ services: ['auth', 'ai'] })
const calls = evaluationCalls(harness)
afterEach(() => harness.model.reset())
afterAll(() => harness.stop())

const agents = '/v1/agents/agents'
const cases = [
  { name: 'Desks in Berlin', input: 'How many desks has Berlin?', expected: { contains: ['44'] } },
  { name: 'Desks in Paris', input: 'How many desks has Paris?', expected: { contains: ['12'], not_contains: ['44'] } },
  { name: 'Capital', input: 'Which city is the capital?', expected: { answer: 'Berlin' } },
]

/** Answers well, unless the instructions are those of the degraded version. */
function answer({ body }: ModelRequest) {
  const prompt = JSON.stringify(body.messages)
  if (prompt.includes('capital')) return { text: 'berlin.' }
  if (prompt.includes('Guess')) return { text: 'About 40 desks.' }
  return { text: prompt.includes('Paris') ? 'It has 12 desks.' : 'It has 44 desks.' }
}

async function createGatedAgent(gate: object = {}) {
  harness.model.replyAlways(answer)
  const agent = await harness.agent({ instructions: 'Count the desks.' })
  const set = await calls.createSet(cases)
  await calls.data('PATCH', `${agents}/${agent}`, { gate: { evaluation_set_id: set, ...gate } })
  return { agent, set }
}

const activate = (agent: string, version: number, body: object = {}, as = harness.owner) =>
  harness.call('POST', `${agents}/${agent}/versions/${version}/activate`, { as, body })

describe('the gate of an agent', () => {
  it('keeps a degraded version from becoming active and names the failing cases', async () => {
    const { agent, set } = await createGatedAgent()
    const first = await calls.evaluate(agent, set)
    expect(first).toMatchObject({ version: 1, summary: { cases: 3, passed: 3, pass_rate: 1 }, gate: { passes: true } })

    const refused = await harness.call('PATCH', `${agents}/${agent}`, { body: { instructions: 'Guess.' } })
    expect(refused).toMatchObject({ status: 409, body: { code: 'gate_not_passed' } })
    const created = await calls.data('POST', `${agents}/${agent}/versions`, { instructions: 'Guess the desks.' })
    expect(created).toMatchObject({ version: 2, active: false, changes: [{ field: 'instructions' }] })
    expect((await activate(agent, 2)).body.detail).toContain('Version 2 has no finished evaluation')

    const second = await calls.evaluate(agent, set, { version: 2 })
    expect(second).toMatchObject({ version: 2, summary: { passed: 1, failed: 2 }, gate: { passes: false } })
    const blocked = await activate(agent, 2)
    expect(blocked).toMatchObject({
      status: 409,
      body: {
        code: 'gate_not_passed',
        evaluation_id: second.id,
        detail:
          'Version 2 does not pass the gate. 33.3 % of the cases pass; the gate requires 100 %. ' +
          '2 failing cases pass with the active version 1. Failing cases: “Desks in Berlin”: The answer lacks “44”; ' +
          '“Desks in Paris”: The answer lacks “12”',
        failing_cases: [
          { name: 'Desks in Berlin', outcome: 'failed', regression: true },
          { name: 'Desks in Paris', outcome: 'failed', regression: true },
        ],
      },
    })
    expect((await calls.data('GET', `${agents}/${agent}`)).version).toBe(1)

    const comparison = await calls.data('GET', `/v1/agents/evaluations/${second.id}/comparison`)
    expect(comparison).toMatchObject({
      baseline: { id: first.id },
      counts: { worse: 2, better: 0, equal: 1, not_comparable: 0 },
      cases: [
        {
          name: 'Desks in Berlin',
          change: 'worse',
          before: { outcome: 'passed' },
          after: { answer: 'About 40 desks.' },
        },
        { name: 'Desks in Paris', change: 'worse' },
        { name: 'Capital', change: 'equal' },
      ],
    })
  })

  it('lets a version pass that is as good, and earlier ones', async () => {
    const { agent, set } = await createGatedAgent()
    await calls.evaluate(agent, set)
    await calls.data('POST', `${agents}/${agent}/versions`, { instructions: 'Count the desks well.' })
    await calls.evaluate(agent, set, { version: 2 })
    expect(await activate(agent, 2)).toMatchObject({ status: 200, body: { data: { version: 2 } } })
    expect(await activate(agent, 1)).toMatchObject({ status: 200, body: { data: { version: 1 } } })
    const versions = await calls.data('GET', `${agents}/${agent}/versions`)
    expect(versions.map(({ version, active }: { version: number; active: boolean }) => [version, active])).toEqual([
      ...[
        [2, false],
        [1, true],
      ],
    ])
  })

  it('counts no evaluation from before a change of the cases', async () => {
    const { agent, set } = await createGatedAgent({ no_regressions: false })
    await calls.data('POST', `${agents}/${agent}/versions`, { instructions: 'Count the desks well.' })
    await calls.evaluate(agent, set, { version: 2 })
    const added = { input: 'Which city is the capital?', expected: { answer: 'Berlin' } }
    await calls.data('POST', `/v1/agents/evaluation-sets/${set}/cases`, added)
    expect((await activate(agent, 2)).body.reasons).toEqual([
      'The cases have changed since the last evaluation of version 2',
    ])
  })

  it('is overridden and changed with the scope for it only, and the override is audited', async () => {
    const { agent, set } = await createGatedAgent({ no_regressions: false })
    await calls.data('POST', `${agents}/${agent}/versions`, { instructions: 'Guess.' })
    const builder = await createKey(harness, harness.owner, ['agents:read', 'agents:write', 'agents:run'])
    const override = { override: { reason: 'The answers of version 1 are wrong, too' } }
    const missing = { status: 403, body: { code: 'missing_scope' } }
    expect(await activate(agent, 2, override, builder)).toMatchObject(missing)
    const removed = await harness.call('PATCH', `${agents}/${agent}`, { as: builder, body: { gate: null } })
    expect(removed).toMatchObject(missing)
    const set409 = await harness.call('DELETE', `/v1/agents/evaluation-sets/${set}`)
    expect(set409).toMatchObject({ status: 409 })
    expect(await activate(agent, 2, override)).toMatchObject({ status: 200, body: { data: { version: 2 } } })
    const [record] = await harness.rows<{ data: object }>(
      `SELECT data FROM platform.outbox WHERE kind = 'AUDIT_RECORDED' AND data ->> 'action' = 'agent.version_activated'
       ORDER BY position DESC LIMIT 1`,
    )
    expect(record?.data).toMatchObject({ changes: { gate_overridden: true, reason: override.override.reason } })
  })
})

describe('an evaluation', () => {
  it('has the runs of its cases apart from others, and they cause no events', async () => {
    const { agent, set } = await createGatedAgent()
    const { id } = await calls.evaluate(agent, set)
    expect((await harness.call('GET', `${runs}?agent_id=${agent}`)).body.data).toEqual([])
    const own = (await harness.call('GET', `${runs}?evaluation_id=${id}`)).body.data
    expect(own).toHaveLength(3)
    for (const run of own)
      expect(await harness.events(run.id)).not.toContainEqual(expect.objectContaining({ kind: 'AGENT_RUN_FINISHED' }))
  })
})
