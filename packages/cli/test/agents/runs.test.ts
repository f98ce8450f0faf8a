import { afterAll, describe, expect, it } from '@jest/globals'
import { neverRespond, startReceiver, startTestFleet } from '@wp/testkit'
import { createProgram } from '../fixture/program.ts'

const model = await startReceiver({ tls: 'none', responder: neverRespond() })
const ai = { AI_BASE_URL: model.url('/v1'), AI_MODEL: 'silent' }
const fleet = await startTestFleet({ services: ['auth', 'data', 'ai', 'solutions'], env: { ai } })
const wp = await createProgram(fleet.baseUrl, { WP_API_KEY: fleet.owner.apiKey })
afterAll(async () => {
  await wp.close()
  await fleet.stop()
  await model.close()
})

/** Creates a data source with the rows. */
async function upload(name: string, csv: string): Promise<string> {
  const created = await wp.run(['sources', 'create', name, '--jq', '.data_source_id'])
  const sourceId = created.stdout.trim()
  const uploaded = await wp.run(['sources', 'upload', sourceId, '-', '--type', 'text/csv'], {
    input: csv,
    endsInput: true,
  })
  expect(uploaded.code).toBe(0)
  return sourceId
}

/** Creates an agent. Returns its id. */
async function createAgent(fields: Record<string, unknown>): Promise<string> {
  const body = { name: 'Assistant', ...fields }
  const { body: created } = await fleet.request('POST', '/v1/agents/agents', { as: fleet.owner.apiKey, body })
  return created.data.agent_id
}

describe('wp forecast', () => {
  it('prints a line for each point of each series, and the whole run as JSON', async () => {
    const hours = Array.from({ length: 21 * 24 }, (_, hour) => new Date(Date.UTC(2026, 0, 5, hour)))
    const rows = hours.flatMap((at) =>
      ['north', 'south'].map((room) => `${at.toISOString()},${room},${at.getUTCHours()}`),
    )
    const sourceId = await upload('Counts', `ts,room,people\n${rows.join('\n')}\n`)
    const args = [
      'forecast',
      sourceId,
      '--timestamp',
      'ts',
      '--value',
      'people',
      '--horizon',
      '24',
      '--group-by',
      'room',
    ]

    const { code, stdout, stderr } = await wp.run(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(lines.map(([room]) => room)).toEqual([...Array(24).fill('north'), ...Array(24).fill('south')])
    expect(lines[0]?.[1]).toBe('2026-01-26T00:00:00.000Z')
    for (const [, , mean, lower, upper] of lines) {
      expect(Number(lower)).toBeLessThanOrEqual(Number(mean))
      expect(Number(upper)).toBeGreaterThanOrEqual(Number(mean))
    }
    const json = await wp.run([...args, '--json', 'status,series'])
    expect(JSON.parse(json.stdout)).toMatchObject({ status: 'finished', series: [{ key: { room: 'north' } }, {}] })

    const unknown = await wp.run(['forecast', sourceId, '--timestamp', 'ts', '--value', 'persons'])
    expect(unknown).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^wp: value_field: /) })
  })
})

describe('wp agents run', () => {
  it('prints the answer on standard output; tools and citations on standard error', async () => {
    await upload('Policies', 'title,text\nParcels,Private parcels are kept at the reception for three days.\n')
    const agentId = await createAgent({ tools: ['list_sources', 'search_data', 'aggregate_records'] })
    const { code, stdout, stderr } = await wp.run(['agents', 'run', agentId, 'How long are private parcels kept?'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('three days') })
    expect(stderr).toMatch(/^> search_data \{.*\}$/m)
    expect(stderr).toMatch(/^\[1\] Parcels rec_/m)
    const json = await wp.run(['agents', 'run', agentId, '-', '--jq', '.status'], { input: 'parcels', endsInput: true })
    expect(json.stdout).toBe('finished\n')
    expect((await wp.run(['agents', 'list', '--jq', '.[].agent_id'])).stdout).toContain(agentId)
  })

  it('cancels the run and ends with exit code 130 on SIGINT', async () => {
    const agentId = await createAgent({ model: { provider: 'default' } })
    const program = wp.start(['agents', 'run', agentId, 'Are you there?'])
    await model.waitFor(1)
    program.signal('SIGINT')
    const { code, stdout, stderr } = await program.ended
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    const [runId = ''] = /run_\w+/.exec(stderr) ?? []
    const { body } = await fleet.request('GET', `/v1/ai/runs/${runId}`, { as: fleet.owner.apiKey })
    expect(body.data.status).toBe('cancelled')
  })
})
