import { eventually, findFreePort, startTestFleet } from '@wp/testkit'
import { createApiKeys } from './edge/create-credentials.ts'
import { heapOf, memoryOf } from './edge/process-usage.ts'
import { startProcess } from './edge/start-process.ts'
import { runClosedLoop } from './load.ts'
import { report } from './report.ts'
import { startServers } from './test-servers.ts'

const connections = 32
/** As docker-compose.yml runs it. */
const heapOptions = '--max-old-space-size=160 --max-semi-space-size=8'

/**
 * What the edge keeps in memory of the credentials it has seen: 100,000 distinct API keys, one request each, then as many
 * again, of which those beyond its cache push others out. Options: `--credentials n`.
 */
export async function run(options: string[]): Promise<void> {
  const at = options.indexOf('--credentials')
  const credentials = at < 0 ? 100_000 : Number(options[at + 1])
  const servers = await startServers()
  const upstreamPort = await findFreePort()
  const upstream = `http://127.0.0.1:${upstreamPort}`
  const fleet = await startTestFleet({
    mode: 'processes',
    services: ['auth'],
    env: { gateway: { UPSTREAM: upstream, LOG_LEVEL: 'error', NODE_OPTIONS: heapOptions } },
  })
  const ASSERTION_KEYS_FILE = fleet.env('auth').ASSERTION_KEYS_FILE ?? ''
  const upstreamProcess = startProcess('upstream.ts', { PORT: String(upstreamPort), ASSERTION_KEYS_FILE })
  try {
    await eventually(() => fetch(`${upstream}/stats`))
    const rows: Record<string, string | number>[] = []
    const { pid } = fleet.member('gateway')
    const port = Number(new URL(fleet.baseUrl).port)
    const measure = async (seen: number, failures: number) => {
      await fetch(`${fleet.adminUrl}/metrics`)
      rows.push({
        credentials: seen,
        resident: memoryOf(pid),
        'heap in use': await heapOf(fleet.adminUrl),
        'not 2xx': failures,
      })
    }
    await measure(0, 0)
    for (const round of [1, 2]) {
      const requests = (await createApiKeys(fleet, credentials)).map((header) =>
        Buffer.from(`GET /v1/data/sources HTTP/1.1\r\nhost: bench\r\n${header}\r\n\r\n`),
      )
      const load = await runClosedLoop({ port, requests, connections })
      await measure(round * credentials, load.failures)
    }
    report('edge-memory', rows, { credentials, connections })
  } finally {
    upstreamProcess.kill('SIGKILL')
    await fleet.stop()
    await servers.stop()
  }
}
