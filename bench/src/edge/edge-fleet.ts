import { join } from 'node:path'
import { eventually, findFreePort, type TestFleet, type TestServers } from '@wp/testkit'
import { withFleet } from '../harness/fleet.ts'
import { startProcess, stopProcess } from '../harness/helper-process.ts'
import { type MeteredProcess, meteredProcess } from '../harness/process-usage.ts'

/** The upstream of all routes of the gateway, see upstream.ts. */
export interface Upstream extends MeteredProcess {
  url: string
}

/** Runs work with the gateway and auth as processes, whose routes lead to one upstream. @param env of the gateway */
export async function withEdgeFleet<Result>(
  env: Record<string, string>,
  work: (fleet: TestFleet, upstream: Upstream, servers: TestServers) => Promise<Result>,
): Promise<Result> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const gateway = { UPSTREAM: url, LOG_LEVEL: 'error', ...env }
  return await withFleet({ services: ['auth'], env: { gateway } }, async (fleet, servers) => {
    const child = startProcess(process.execPath, [join(import.meta.dirname, 'upstream.ts')], {
      PORT: String(port),
      ASSERTION_KEYS_FILE: fleet.env('auth').ASSERTION_KEYS_FILE ?? '',
    })
    try {
      await eventually(() => fetch(`${url}/stats`))
      return await work(fleet, { ...meteredProcess('upstream alone', child), url }, servers)
    } finally {
      await stopProcess(child)
    }
  })
}
