import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { eventually, findFreePort } from '@wp/testkit'

const root = join(import.meta.dirname, '../../../..')

/** A response of Prometheus to a query of an instant. */
interface QueryResponse {
  status: string
  error?: string
  data: { result: { value: [time: number, value: string] }[] }
}

/** A running Prometheus. */
export interface Prometheus {
  url: string
  /** Returns the values of an expression now, without those that are not a number. */
  query(expression: string): Promise<number[]>
  stop(): Promise<void>
}

/** Starts Prometheus with the alert rules of the platform. It reads the targets every two seconds. */
export async function startPrometheus(program: string, targets: readonly string[]): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'wp-prometheus-'))
  const port = await findFreePort()
  const config = join(folder, 'prometheus.yml')
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: '2s', evaluation_interval: '2s' },
      rule_files: [join(root, 'infra/observability/alerts.yml')],
      scrape_configs: [{ job_name: 'platform', static_configs: [{ targets }] }],
    }),
  )
  const address = `127.0.0.1:${port}`
  const options = [`--config.file=${config}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`]
  const child = spawn(program, [...options, '--log.level=warn'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  const output = text(child.stderr)
  const killOnExit = () => child.kill('SIGKILL')
  process.once('exit', killOnExit)

  const stop = async () => {
    child.kill()
    await exited
    process.removeListener('exit', killOnExit)
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `http://${address}`
  const isReady = async () => (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok === true
  const failed = exited.then(async () => Promise.reject(new Error(`Prometheus ended: ${await output}`)))
  failed.catch(() => {}) // its end by `stop` is no error
  await Promise.race([eventually(isReady, { timeoutMs: 60_000, description: 'Prometheus being ready' }), failed])
  return {
    url,
    async query(expression) {
      const response = await fetch(`${url}/api/v1/query`, {
        method: 'POST',
        body: new URLSearchParams({ query: expression }),
      })
      const { status, error, data } = (await response.json()) as QueryResponse
      if (status !== 'success') throw new Error(`${expression}: ${error}`)
      return data.result.map(({ value }) => Number(value[1])).filter(Number.isFinite)
    },
    stop,
  }
}
