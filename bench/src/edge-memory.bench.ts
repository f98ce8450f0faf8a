import { startTestServers } from '@wp/testkit'
import { createApiKeys } from './edge/create-credentials.ts'
import { startEdgeFleet } from './edge/edge-fleet.ts'
import { heapOf, memoryOf } from './edge/process-usage.ts'
import { runClosedLoop } from './harness/load.ts'
import { optionValue } from './harness/options.ts'
import { report } from './harness/report.ts'

const connections = 32
/** The heap options of the gateway in docker-compose.yml. */
const heapOptions = '--max-old-space-size=160 --max-semi-space-size=8'

/**
 * Measures the gateway's memory after one request with each of 100,000 API keys, and after as many again, which exceed
 * its credential cache. Options: `--credentials n`.
 */
export async function run(options: string[]): Promise<void> {
  const credentials = Number(optionValue(options, '--credentials') ?? 100_000)
  const servers = await startTestServers()
  const { fleet, stop } = await startEdgeFleet({ NODE_OPTIONS: heapOptions })
  try {
    const rows: Record<string, string | number>[] = []
    const { pid } = fleet.member('gateway')
    const port = Number(new URL(fleet.baseUrl).port)
    const measure = async (used: number, failures: number) => {
      await fetch(`${fleet.adminUrl}/metrics`)
      rows.push({
        credentials: used,
        resident: memoryOf(pid),
        'used heap': await heapOf(fleet.adminUrl),
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
    await stop()
    await servers.stop()
  }
}
