import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { InternalCalls } from '@wp/service'
import type { ModelReply, ModelRequest } from '@wp/testkit'
import { loadOffice, type Office } from '@wp/testkit/company'
import { readScenario } from '../../src/tools/workplace/read-scenario.ts'
import { type RunHarness, startRunHarness } from '../fixture/run-harness.ts'

const question = 'Close floor 3 on Fridays, 10 % more people: what happens?'

let harness: RunHarness
let office: Office
beforeAll(async () => {
  harness = await startRunHarness({ services: ['auth', 'data', 'solutions', 'ai'] })
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await harness.call(method, path, { body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  office = await loadOffice({ create: (path, body) => send('POST', path, body), read: (path) => send('GET', path) })
})
afterEach(() => harness.model.reset())
afterAll(() => harness?.stop())

/** The output of the last tool call, as the model reads it; empty before the first one. */
// biome-ignore lint/suspicious/noExplicitAny: outputs of every shape
const lastOutput = (messages: readonly { role: string; content: string | null }[]): any => {
  const text = messages.findLast(({ role }) => role === 'tool')?.content ?? '{}'
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
}

/** A model that knows no ids but those that it has read, and waits as long as it is told to. */
function planner({ body }: ModelRequest): ModelReply {
  const { spaces, forecasts, scenario_id: scenarioId, ...read } = lastOutput(body.messages)
  if (spaces !== undefined && forecasts.length === 0)
    return call('start_forecast', { workplace: { level: 'team' }, frequency: 'day', horizon: 7 })
  if (read.forecast_run_id !== undefined && read.status !== 'finished')
    return call('read_forecast', { forecast_run_id: read.forecast_run_id })
  if (spaces !== undefined)
    return call('create_scenario', {
      name: 'Floor 3 closed on Fridays',
      forecast_run_id: forecasts[0].forecast_run_id,
      close_spaces: [{ space_id: spaces[0].space_id, weekdays: ['fri'] }],
      headcount: [{ percent: 10 }],
    })
  if (scenarioId === undefined) return call('list_workplace', { name: 'Floor 3' })
  if (read.conclusion === undefined) return call('read_scenario', { scenario_id: scenarioId })
  const { people, days_with_a_place_for_everyone_percent: share } = read.changed_demand_with_places_of_scenario
  const { per_year: saving, currency } = read.saving
  return { text: `${read.conclusion} On Fridays ${people.fri} people come. ${saving} ${currency}; ${share} %.` }
}

const call = (name: string, input: unknown): ModelReply => ({ toolCalls: [{ name, input }] })
const figuresIn = (text: string): string[] => text.replaceAll(',', '').match(/\d+(\.\d+)?/g) ?? []

describe('an agent that is asked what happens when a floor closes', () => {
  it('forecasts the teams, finds the ids by name, plans a scenario, and answers with the figures that are in it', async () => {
    const forecastTools = ['start_forecast', 'read_forecast'] as const
    const agent = await harness.agent({
      tools: [...forecastTools, 'list_workplace', 'create_scenario', 'read_scenario'],
    })
    harness.model.replyAlways(planner)
    const run = (await harness.run(agent, { input: question })).body.data
    expect(run).toMatchObject({ status: 'finished', error: null, warnings: [] })
    const outputs = run.steps.map(({ output }: { output: object }) => output)
    const [empty, started, forecast, listed, created] = outputs
    const read = outputs.at(-1)
    expect(empty).toMatchObject({ forecasts: [], no_forecast: expect.stringContaining('start_forecast') })
    expect(forecast).toMatchObject({ forecast_run_id: started.forecast_run_id, status: 'finished' })
    expect(listed.spaces).toEqual([
      { space_id: office.floorIds[2], name: 'Munich / Floor 3', kind: 'floor', capacity: 40 },
    ])
    expect(listed.forecasts[0]).toMatchObject({ forecast_run_id: started.forecast_run_id, days: 7, teams: 'all' })
    expect(read).toMatchObject({
      scenario_id: created.scenario_id,
      status: 'finished',
      is_feasible: true,
      asked: { changes: { close_spaces: [{ weekdays: ['fri'] }], headcount: [{ percent: 10 }] } },
    })
    expect(read.floors.find(({ name }: { name: string }) => name === 'Munich / Floor 3').open).not.toContain('fri')
    const known = new Set(figuresIn(JSON.stringify(read)))
    const figures = figuresIn(run.output)
    expect(figures.length).toBeGreaterThan(5)
    expect(figures.filter((figure) => !known.has(figure))).toEqual([])
    const stored = (await harness.call('GET', `/v1/solutions/workplace/scenarios/${created.scenario_id}`)).body.data
    expect(read.saving.per_year).toBe(stored.result.saving.amount / 100)
    expect(JSON.stringify(read).length).toBeLessThan(6_000)
    const risk = { ...stored.result.risk, people: 'Without the teams left out' }
    const internal = { call: async () => ({ ...stored, result: { ...stored.result, risk } }) }
    const tool = readScenario(internal as unknown as InternalCalls) // the one call that it makes
    const context = { dataSourceIds: [], caller: { scopes: ['solutions:read'] }, signal: new AbortController().signal }
    const input = { scenario_id: stored.id }
    const { output } = await tool.run(input, context as unknown as Parameters<typeof tool.run>[1]) // what it reads
    expect(output).toMatchObject({ risk_is_of: 'Without the teams left out' })
  })

  it('is told what is wrong with an id that it made up, and in a run of some sources only', async () => {
    const agent = await harness.agent({ tools: ['create_scenario'] })
    const made = { name: 'Made up', forecast_run_id: 'fr_01h455vb4pex5vsknk084sn02q' }
    harness.model.reply(call('create_scenario', made), { text: 'No.' })
    const run = (await harness.run(agent, { input: question })).body.data
    expect(run.steps).toMatchObject([
      { status: 'failed', error: expect.stringContaining('/forecast_run_id is not a forecast run of this workspace') },
    ])
    const [{ data_source_id: source }] = (await harness.call('GET', '/v1/data/sources')).body.data
    const limited = await harness.agent({ tools: ['list_workplace', 'start_forecast'], data_source_ids: [source] })
    const forecast = { workplace: { level: 'team' }, frequency: 'day', horizon: 7 }
    harness.model.reply(call('list_workplace', {}), call('start_forecast', forecast), { text: 'No.' })
    const failed = { status: 'failed', error: expect.stringContaining('limited to some data sources') }
    expect((await harness.run(limited, { input: question })).body.data.steps).toMatchObject([failed, failed])
  })
})
