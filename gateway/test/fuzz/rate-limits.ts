import type { TestFleet } from '@wp/testkit'
import { Client } from 'pg'

/** Raises the rate limits of all workspaces: few credentials send many requests. */
export async function removeRateLimits(fleet: TestFleet): Promise<void> {
  const database = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
  await database.connect()
  await database.query('UPDATE workspaces SET credential_per_minute = 1000000, workspace_per_minute = 1000000')
  await database.end()
}
