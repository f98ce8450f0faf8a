import { eventually, type TestFleet, type TestResponse } from '@wp/testkit'
import { Client } from 'pg'

/** Sets a quota of the workspace `stranger`, before anybody asked for it. */
export async function limitTo(fleet: TestFleet, column: string, quota: number): Promise<void> {
  const database = new Client({ connectionString: fleet.databases.get('auth')?.adminUrl })
  await database.connect()
  await database.query(`UPDATE workspaces SET ${column} = $1 WHERE workspace_id = $2`, [
    quota,
    fleet.stranger.workspaceId,
  ])
  await database.end()
}

/** Windows begin by the clock: asks until this one has some seconds to go. At most the last answer counts in it. */
export async function wellWithin(ask: () => Promise<TestResponse>): Promise<TestResponse> {
  return eventually(
    async () => {
      const answer = await ask()
      const seconds = Number(/;t=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
      return seconds > 6 && answer
    },
    { timeoutMs: 10_000, intervalMs: 1000, description: 'a window with some seconds to go' },
  )
}
