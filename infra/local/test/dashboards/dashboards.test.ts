import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  eventually,
  findPrometheusProgram,
  type Receiver,
  startReceiver,
  startTestFleet,
  type TestFleet,
  testAuthority,
} from '@wp/testkit'
import { type Prometheus, startPrometheus } from './prometheus.ts'

interface Panel {
  title: string
  targets: { expr: string }[]
  fieldConfig: { defaults: { noValue?: string } }
}

const root = join(import.meta.dirname, '../../../..')
const dashboards = globSync('infra/observability/grafana/dashboards/*.json', { cwd: root }).sort()
const panelsOf = (file: string): Panel[] => JSON.parse(readFileSync(join(root, file), 'utf8')).panels

const prometheusProgram = findPrometheusProgram('prometheus')
if (prometheusProgram === undefined)
  process.stdout.write('skipped: no Prometheus, so the dashboards are not tried: npm run prometheus\n')
const describeIfPresent = prometheusProgram === undefined ? describe.skip : describe

describeIfPresent('the dashboards, with a Prometheus that reads a fleet under load', () => {
  let fleet: TestFleet
  let receiver: Receiver
  let prometheus: Prometheus
  let isStopped = false
  let load: Promise<void>

  beforeAll(async () => {
    receiver = await startReceiver()
    fleet = await startTestFleet({ processes: ['gateway'], outbound: { OUTBOUND_CA_FILE: testAuthority().file } })
    const targets = [...Object.values(fleet.addresses), fleet.adminUrl].map((url) => new URL(url).host)
    prometheus = await startPrometheus(prometheusProgram ?? '', targets)
    load = runLoad()
    load.catch(() => {}) // afterAll reports it
  })
  afterAll(async () => {
    isStopped = true
    await load
    await prometheus?.stop()
    await fleet?.stop()
    await receiver?.close()
  })

  /** Uses every part of the platform that a panel shows, until the test ends. */
  async function runLoad(): Promise<void> {
    const as = await fleet.token(fleet.owner)
    const send = async (method: string, path: string, body?: object) => {
      const response = await fleet.request(method, path, { as, ...(body === undefined ? {} : { body }) })
      if (response.status >= 300)
        throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
      return response.body?.data
    }
    await send('POST', '/v1/webhooks/webhooks', { endpoint: receiver.url('/'), events: ['API_KEY_CREATED'] })
    const points = Array.from({ length: 70 }, (_, day) => ({
      ts: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
      value: 100 + (day % 7),
    }))
    for (let round = 0; !isStopped; round += 1) {
      const key = await send('POST', '/v1/auth/api-key', { name: `round ${round}` })
      if (key !== undefined) await send('DELETE', `/v1/auth/api-key/${key.key_id}`)
      await send('POST', '/v1/data/search', { query: 'anything' })
      await send('POST', '/v1/solutions/workplace/forecast/runs', {
        series: [{ key: { building: 'north' }, points }],
        frequency: 'day',
        timezone: 'UTC',
        horizon: 7,
      })
      await fleet.request('GET', '/v1/auth/me', { as: 'not a token' })
      await pause(round < 5 ? 1_000 : 5_000)
    }
  }

  /** Any service and any workspace, where a dashboard lets the reader choose one. */
  const withoutVariables = (expression: string) => expression.replaceAll(/="\$\w+"/g, '=~".+"')

  async function findEmptyPanels(file: string): Promise<string[]> {
    const empty: string[] = []
    for (const { title, targets } of panelsOf(file)) {
      const values = await Promise.all(targets.map(({ expr }) => prometheus.query(withoutVariables(expr))))
      if (values.every((each) => each.length === 0)) empty.push(title)
    }
    return empty
  }

  it.each(dashboards)('%s: every panel has data, or says what its absence means', async (file) => {
    const mayBeEmpty = panelsOf(file).filter(({ fieldConfig }) => fieldConfig.defaults.noValue !== undefined)
    const titles = new Set(mayBeEmpty.map(({ title }) => title))
    let empty: string[] = []
    await eventually(
      async () => {
        empty = (await findEmptyPanels(file)).filter((title) => !titles.has(title))
        return empty.length === 0
      },
      { timeoutMs: 100_000, intervalMs: 1_000, description: 'data' },
    ).catch(() => undefined)
    expect(empty).toEqual([])
  })
})
