import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from '@jest/globals'
import { findFreePort, startTestFleet } from '@wp/testkit'
import { parse } from 'csv-parse/sync'
import { resolveDataDir } from '../src/data-dir/data-dir.ts'
import { outboundSettings } from '../src/outbound-settings.ts'
import { itWithCommand } from './support/it-with-command.ts'

const root = join(import.meta.dirname, '../../..')
const counts: { day: string; building: string; people: string; note: string }[] = parse(
  readFileSync(join(root, 'docs/examples/counts.csv')),
  { columns: true },
)

const dataDir = mkdtempSync(join(tmpdir(), 'wp-newcomer-'))
const fleet = await startTestFleet({
  services: ['auth', 'data', 'solutions', 'webhook-delivery'],
  env: { 'webhook-delivery': outboundSettings(resolveDataDir(dataDir), {}, root) },
})
const { clientId: client_id, clientSecret: client_secret } = fleet.owner
writeFileSync(join(dataDir, 'credentials.json'), JSON.stringify({ base_url: fleet.baseUrl, client_id, client_secret }))
const certificate = ['infra/local/src/certificate/main.ts', '--data-dir', dataDir, 'localhost']
execFileSync(process.execPath, certificate, { cwd: root })
afterAll(async () => {
  await fleet.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Runs a script as its first lines say. Returns the output of each step, by its title. */
async function runScript(command: string, script: string): Promise<Map<string, string>> {
  expect(readFileSync(join(root, script), 'utf8')).toContain(`${command} ${script} [data folder] [port`)
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }
  const port = `${await findFreePort()}`
  const { stdout } = await promisify(execFile)(command, [script, dataDir, port], { cwd: root, env })
  const steps = stdout.split('\n== ').slice(1)
  return new Map(steps.map((step) => [step.slice(0, step.indexOf('\n')), step.slice(step.indexOf('\n') + 1).trim()]))
}

const busyTuesdays = counts
  .filter(({ building, people, note }) => building === 'south' && Number(people) > 155 && note.startsWith('Tuesday'))
  .map(({ day, people, note }) => `${day} ${note}: ${people}`)

/** Returns the highest sum of both buildings on one day. */
function peakOfBoth(): number {
  const sums = new Map<string, number>()
  for (const { day, people } of counts) sums.set(day, (sums.get(day) ?? 0) + Number(people))
  return Math.max(...sums.values())
}

async function expectSession(command: string, script: string): Promise<void> {
  const steps = await runScript(command, script)
  expect(steps.get('Get an access token')).toBe(fleet.owner.workspaceId)
  expect(steps.get('Create a data source')).toMatch(/^src_\w{26}$/)
  expect(steps.get('Upload docs/examples/counts.csv')).toMatch(/'?created'?: 140, '?updated'?: 0,/)

  expect(busyTuesdays.length).toBeGreaterThan(2)
  const hits = steps.get('Search for "tuesday" in the south building, with more than 155 people')
  expect(hits).toBe([`${busyTuesdays.length} hits:`, ...busyTuesdays].join('\n'))

  const [runId = '', ...days] = steps.get('Forecast both buildings under the aggregation sum')?.split('\n') ?? []
  expect(runId).toMatch(/^fr_\w{26}$/)
  expect(days.map((day) => day.split(' ')[0])).toEqual(
    ['16', '17', '18', '19', '20', '21', '22'].map((day) => `2026-03-${day}`),
  )
  const peak = Math.max(...days.map((day) => Number(day.split(' ')[1])))
  expect(peak / peakOfBoth()).toBeGreaterThan(0.9)
  expect(peak / peakOfBoth()).toBeLessThan(1.1)
  expect(steps.get('Forecast the sum of both buildings, added by hand')).toBe('both forecasts are equal')

  const webhook = steps.get('Wait for the webhook, whose signature the receiver verifies')
  expect(webhook).toMatch(/^authentic \{"event":"FORECASTING_FINISHED",/)
  expect(webhook).toContain(runId)
  expect(steps.get('Upload the same file again')).toMatch(/'?seen'?: 140, '?created'?: 0, '?updated'?: 0,/)
  expect(steps.get('Send a wrong input')).toBe(
    '400 validation_failed: /value_field: "peolpe" is not a column of the data source; did you mean "people"? ' +
      'Its columns are "id", "day", "building", "people", "note"',
  )
  expect(steps.get('Clean up')?.match(/deleted/g)).toHaveLength(2)
  for (const path of ['/v1/data/sources', '/v1/webhooks/webhooks'])
    expect((await fleet.request('GET', path, { as: fleet.owner.apiKey })).body.data).toEqual([])
}

describe("the newcomer's session", () => {
  itWithCommand('curl')('runs in bash', () => expectSession('bash', 'docs/examples/newcomer.sh'))

  itWithCommand('python3')('runs in Python', () => expectSession('python3', 'docs/examples/newcomer.py'))

  it('is linked from the README', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    for (const file of ['newcomer.sh', 'newcomer.py']) expect(readme).toContain(`(docs/examples/${file})`)
  })
})
