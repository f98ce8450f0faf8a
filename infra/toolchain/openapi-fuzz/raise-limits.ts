import type { TestFleet } from '@wp/testkit'
import { withWorker } from '../worker-database.ts'

/** Raises the rate limits of all workspaces: one credential sends all requests. */
export async function raiseLimits(fleet: TestFleet): Promise<void> {
  const url = fleet.databases.get('auth')?.adminUrl
  if (url === undefined) throw new Error('the fleet has no database of auth')
  await withWorker(url, async (query) => {
    await query('UPDATE workspaces SET credential_per_minute = 1000000, workspace_per_minute = 1000000')
  })
}
