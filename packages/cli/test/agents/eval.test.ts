import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { startModelServer, startTestFleet } from '@wp/testkit'
import { createProgram } from '../fixture/program.ts'

const model = await startModelServer()
const fleet = await startTestFleet({
  services: ['auth', 'ai'],
  env: { ai: { AI_BASE_URL: model.url, AI_MODEL: 'test-model' } },
})
const wp = await createProgram(fleet.baseUrl, { WP_API_KEY: fleet.owner.apiKey })
afterAll(async () => {
  await wp.close()
  await fleet.stop()
  await model.close()
})

const request = async (method: string, path: string, body: unknown) =>
  (await fleet.request(method, path, { as: fleet.owner.apiKey, body })).body.data

it('wp eval blocks a degraded version and names the failing cases', async () => {
  model.replyAlways(({ body }) => ({
    text: JSON.stringify(body.messages).includes('Guess') ? 'About 40 desks.' : 'It has 44 desks.',
  }))
  const agent = (await request('POST', '/v1/agents/agents', { name: 'Desks', model: { provider: 'default' } })).agent_id
  const { id: set } = await request('POST', '/v1/agents/evaluation-sets', { name: 'Desk questions' })
  const file = join(await mkdtemp(join(tmpdir(), 'eval-')), 'cases.csv')
  await writeFile(file, 'name,input,contains\nBerlin,How many desks has Berlin?,44\nUnit,What are they?,desks\n')
  const imported = await wp.run(['eval', 'import', set, file])
  expect(imported).toMatchObject({ code: 0, stderr: 'Imported 2 cases; the set has 2.\n' })
  expect((await wp.run(['eval', 'sets', '--jq', '.[0].cases'])).stdout).toBe('2\n')

  expect(await wp.run(['eval', 'run', agent, set])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^eval_\w+: version 1 passes 2 of 2 cases, \d+ tokens\.\n$/),
  })
  await request('PATCH', `/v1/agents/agents/${agent}`, { gate: { evaluation_set_id: set } })
  await request('POST', `/v1/agents/agents/${agent}/versions`, { instructions: 'Guess.' })
  const degraded = await wp.run(['eval', 'run', agent, set, '--version', '2'])
  expect(degraded).toMatchObject({ code: 1, stdout: 'failed\tBerlin\tThe answer lacks “44”\n' })
  expect(degraded.stderr).toContain('wp: version 2 does not pass the gate: 50 % of the cases pass')
  const [evaluation = ''] = /eval_\w+/.exec(degraded.stderr) ?? []
  expect(await wp.run(['eval', 'compare', evaluation])).toMatchObject({
    code: 1,
    stdout: 'worse\tBerlin\tThe answer lacks “44”\n',
    stderr: expect.stringContaining('Version 2 against version 1: 1 worse, 0 better, 1 equal.'),
  })
  expect(await wp.run(['eval', 'activate', agent, '2'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^wp: Version 2 does not pass the gate.*“Berlin”: The answer lacks “44”/),
  })
  const forced = await wp.run(['eval', 'activate', agent, '2', '--override', 'The test says so'])
  expect(forced).toMatchObject({ code: 0, stderr: 'Version 2 of Desks is active.\n' })
})
