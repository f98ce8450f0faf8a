import { eventually, type TestFleet, type TestResponse } from '@wp/testkit'
import { Client } from 'pg'

type QuotaColumn = 'credential_per_minute' | 'workspace_per_minute'

/** Sets a quota of the stranger's workspace. Call it before the workspace is first used. */
export async function setQuota(fleet: TestFleet, column: QuotaColumn, quota: number): Promise<void> {
  const database = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
  await database.connect()
  await database.query(`UPDATE workspaces SET ${column} = $1 WHERE workspace_id = $2`, [
    quota,
    fleet.stranger.workspaceId,
  ])
  await database.end()
}

/**
 * Repeats a request until its rate-limit window has more than 20 seconds left, so that the test stays within one
 * window, also on a busy machine.
 *
 * @returns the last response, the only one that counts in that window
 */
export async function waitForFreshWindow(request: () => Promise<TestResponse>): Promise<TestResponse> {
  return eventually(
    async () => {
      const response = await request()
      const seconds = Number(/;t=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])
      return seconds > 20 && response
    },
    { timeoutMs: 60_000, intervalMs: 1000, description: 'a window with more than 20 seconds left' },
  )
}
