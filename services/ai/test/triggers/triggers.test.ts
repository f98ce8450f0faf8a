import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { startService } from '@wp/service'
import { eventually } from '@wp/testkit'
import { definition } from '../../src/index.ts'
import { runs, startRunHarness } from '../fixture/run-harness.ts'

const harness = await startRunHarness({ services: ['auth', 'ai'] })
const replica = await startService(definition, { ...harness.fleet.env('ai'), PORT: '0' })
afterEach(() => harness.model.reset())
afterAll(async () => {
  await replica.stop()
  await harness.stop()
})

const pathOf = (agent: string) => `/v1/agents/agents/${agent}/triggers`
/** No test runs at this time, unless it sets it. */
const onNewYear = { schedule: '0 7 1 1 *', timezone: 'Europe/Berlin' }

async function createTrigger(agent: string, body: object, as = harness.owner) {
  const created = await harness.call('POST', pathOf(agent), { as, body: { input: 'How many?', ...body } })
  expect(created).toMatchObject({ status: 201 })
  return created.body.data
}
const readTrigger = async ({ id, agent_id: agent }: { id: string; agent_id: string }) =>
  (await harness.call('GET', `${pathOf(agent)}/${id}`)).body.data
const runsOf = async (trigger: string) =>
  (await harness.call('GET', `${runs}?trigger_id=${trigger}&limit=100`)).body.data
const createKey = async () => {
  const body = { name: 'automation', scopes: ['agents:read', 'agents:write', 'agents:run'] }
  return (await harness.call('POST', '/v1/auth/api-key', { body })).body.data
}
/** Makes triggers due now. A trigger that is created then has the schedule look again. */
async function makeDue(...ids: string[]) {
  await harness.rows(`UPDATE triggers SET next_run_at = now() - interval '1 minute' WHERE id = ANY ($1)`, [ids])
  await createTrigger(await harness.agent(), { on: onNewYear, enabled: false })
}

/** Waits until the triggers have handled an event that an agent causes by itself: those before it are handled, too. */
async function waitForEvents() {
  const [source, counted] = [await harness.agent(), await harness.agent()]
  const trigger = await createTrigger(counted, {
    on: { event: 'AGENT_RUN_FINISHED', filter: { all: { agent_id: source } } },
  })
  harness.model.replyAlways({ text: 'Done.' })
  await harness.run(source)
  await eventually(async () => (await runsOf(trigger.id)).length === 1, { description: 'the run of the last event' })
  await harness.call('DELETE', `${pathOf(counted)}/${trigger.id}`)
}

describe('a trigger at times', () => {
  it('starts exactly one run when it is due, on one of two replicas, and is due again later', async () => {
    const agent = await harness.agent()
    harness.model.replyAlways({ text: 'Done.' })
    const triggers = await Promise.all(Array.from({ length: 5 }, () => createTrigger(agent, { on: onNewYear })))
    const ids = triggers.map(({ id }) => id)
    for (let round = 1; round <= 2; round += 1) {
      await makeDue(...ids)
      await eventually(async () => (await Promise.all(ids.map(runsOf))).every((started) => started.length >= round), {
        description: 'the runs of all triggers',
      })
    }
    expect((await Promise.all(ids.map(runsOf))).map((started) => started.length)).toEqual(ids.map(() => 2))
    const trigger = await readTrigger(triggers[0])
    expect(Date.parse(trigger.next_run_at)).toBeGreaterThan(Date.now())
    const [last] = await runsOf(trigger.id)
    expect(trigger).toMatchObject({ last_run_id: last.id, last_skipped: null })
    expect(await harness.waitForEnd(last.id)).toMatchObject({
      input: 'How many?',
      output: 'Done.',
      trigger_id: trigger.id,
    })
  })

  it('is not due while it is disabled, and is refused with an impossible time or an input that the agent does not take', async () => {
    const schema = { type: 'object', properties: { floor: { type: 'integer' } }, required: ['floor'] }
    const agent = await harness.agent({ input_schema: schema })
    const refusal = async (body: object) => (await harness.call('POST', pathOf(agent), { body })).body.errors
    const input = { floor: 3 }
    expect(await refusal({ on: { schedule: '0 0 30 2 *' }, input })).toEqual([
      { pointer: '/on/schedule', detail: 'never matches a date' },
    ])
    expect(await refusal({ on: onNewYear, input: { floor: 'third' } })).toMatchObject([{ pointer: '/input/floor' }])
    const trigger = await createTrigger(agent, { on: onNewYear, input, enabled: false })
    expect(trigger).toMatchObject({ next_run_at: null, budget: { runs_per_day: 100, tokens_per_day: null } })
    const body = { enabled: true, budget: { tokens_per_day: 5_000 } }
    const changed = await harness.call('PATCH', `${pathOf(agent)}/${trigger.id}`, { body })
    expect(changed.body.data).toMatchObject({ budget: { runs_per_day: 100, tokens_per_day: 5_000 }, on: onNewYear })
    expect(changed.body.data.next_run_at).toMatch(/-01-01T06:00:00/)
  })
})

describe('a trigger at events', () => {
  it('starts one run for each event that passes its filter, with the event in its input', async () => {
    const [watched, other, reporter] = [await harness.agent(), await harness.agent(), await harness.agent()]
    const on = { event: 'AGENT_RUN_FINISHED', filter: { all: { agent_id: watched } } }
    const trigger = await createTrigger(reporter, { on, input: 'Say what happened.' })
    harness.model.replyAlways({ text: 'Done.' })
    const finished = await Promise.all([1, 2, 3].map(() => harness.run(watched)))
    await harness.run(other)
    await waitForEvents()
    const started = await runsOf(trigger.id)
    expect(started).toHaveLength(3)
    const inputs = await Promise.all(
      started.map(async ({ id }: { id: string }) => (await harness.waitForEnd(id)).input),
    )
    for (const { body } of finished)
      expect(inputs).toContainEqual(
        expect.stringMatching(new RegExp(`^Say what happened\\.\\n\\nEvent:\\n.*${body.data.id}`)),
      )
  })

  it('ends a loop of two agents that trigger each other', async () => {
    const [first, second] = [await harness.agent(), await harness.agent()]
    const onEnd = (agent: string) => ({ on: { event: 'AGENT_RUN_FINISHED', filter: { all: { agent_id: agent } } } })
    const triggers = [await createTrigger(second, onEnd(first)), await createTrigger(first, onEnd(second))]
    harness.model.replyAlways({ text: 'Done.' })
    await harness.run(first)
    await eventually(async () => (await readTrigger(triggers[1])).last_skipped !== null, {
      description: 'the end of the loop',
    })
    const started = await Promise.all(triggers.map(({ id }) => runsOf(id)))
    expect(started.map((list) => list.length)).toEqual([2, 1])
    const { last_skipped: skipped } = await readTrigger(triggers[1])
    expect(skipped.reason).toBe('The event was caused by 3 runs in a row that triggers had started')
  })

  it('says why an occasion starts no run: an archived agent, a used-up budget', async () => {
    const [watched, archived, limited] = [await harness.agent(), await harness.agent(), await harness.agent()]
    const on = { event: 'AGENT_RUN_FINISHED', filter: { all: { agent_id: watched } } }
    const ofArchived = await createTrigger(archived, { on })
    const ofLimited = await createTrigger(limited, { on, budget: { runs_per_day: 2 } })
    await harness.call('PATCH', `/v1/agents/agents/${archived}`, { body: { status: 'archived' } })
    harness.model.replyAlways({ text: 'Done.' })
    for (let run = 0; run < 4; run += 1) await harness.run(watched)
    await waitForEvents()
    expect(await runsOf(ofLimited.id)).toHaveLength(2)
    expect((await readTrigger(ofLimited)).last_skipped.reason).toBe(
      'The budget of the trigger, 2 runs a day (UTC), is used up',
    )
    expect(await runsOf(ofArchived.id)).toHaveLength(0)
    expect((await readTrigger(ofArchived)).last_skipped.reason).toContain('is archived')
  })
})

describe('the runs of a trigger', () => {
  it('act for the one who last changed it, or what its agent does', async () => {
    const agent = await harness.agent()
    const { api_key: key, key_id: keyId } = await createKey()
    const trigger = await createTrigger(agent, { on: onNewYear })
    expect(trigger.acts_for).toBe(harness.fleet.owner.clientId)
    await harness.call('PATCH', `${pathOf(agent)}/${trigger.id}`, { as: key, body: { input: 'Which data is there?' } })
    const after = await readTrigger(trigger)
    expect(after.acts_for).not.toBe(trigger.acts_for)
    await harness.call('PATCH', `/v1/agents/agents/${agent}`, { body: { instructions: 'Be brief.' } })
    expect((await readTrigger(trigger)).acts_for).toBe(trigger.acts_for)
    await harness.call('PATCH', `/v1/agents/agents/${agent}`, { as: key, body: { instructions: 'Be very brief.' } })
    expect((await readTrigger(trigger)).acts_for).toBe(after.acts_for)

    await harness.call('DELETE', `/v1/auth/api-key/${keyId}`)
    await makeDue(trigger.id)
    await eventually(async () => (await runsOf(trigger.id)).length === 1, { description: 'the run of the trigger' })
    const [{ id }] = await runsOf(trigger.id)
    expect(await harness.waitForEnd(id)).toMatchObject({ status: 'failed', output: null })
    expect(harness.model.requests).toHaveLength(0)
  })

  it('need the scope to run agents', async () => {
    const agent = await harness.agent()
    const body = { name: 'builder', scopes: ['agents:read', 'agents:write'] }
    const { api_key: key } = (await harness.call('POST', '/v1/auth/api-key', { body })).body.data
    const refused = await harness.call('POST', pathOf(agent), {
      as: key,
      body: { on: onNewYear, input: 'How many?' },
    })
    expect(refused).toMatchObject({ status: 403, body: { code: 'missing_scope' } })
  })
})
