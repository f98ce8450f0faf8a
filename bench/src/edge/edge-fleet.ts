import { eventually, findFreePort, startTestFleet, type TestFleet } from '@wp/testkit'
import { Client } from 'pg'
import { startProcess } from './start-process.ts'

/** The gateway and auth as processes. Every route of the gateway leads to one upstream, see upstream.ts. */
export interface EdgeFleet {
  fleet: TestFleet
  upstream: { url: string; port: number; pid: number | undefined }
  stop(): Promise<void>
}

/** @param env variables of the gateway */
export async function startEdgeFleet(env: Record<string, string> = {}): Promise<EdgeFleet> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const fleet = await startTestFleet({
    mode: 'processes',
    services: ['auth'],
    env: { gateway: { UPSTREAM: url, LOG_LEVEL: 'error', ...env } },
  })
  const upstream = startProcess('upstream.ts', {
    PORT: String(port),
    ASSERTION_KEYS_FILE: fleet.env('auth').ASSERTION_KEYS_FILE ?? '',
  })
  await eventually(() => fetch(`${url}/stats`))
  return {
    fleet,
    upstream: { url, port, pid: upstream.pid },
    async stop() {
      upstream.kill('SIGKILL')
      await fleet.stop()
    },
  }
}

/** Requests per minute; by default more than a benchmark sends. */
interface RateLimits {
  credential?: number
  workspace?: number
}

/** Sets the rate limits of all workspaces. */
export async function setRateLimits(fleet: TestFleet, limits: RateLimits = {}): Promise<void> {
  const { credential = 1_000_000_000, workspace = 1_000_000_000 } = limits
  const database = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
  await database.connect()
  await database.query('UPDATE workspaces SET credential_per_minute = $1, workspace_per_minute = $2', [
    credential,
    workspace,
  ])
  await database.end()
}
