import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestFleet } from '@wp/testkit'
import { queryDatabase } from '../query-database.ts'

/**
 * Serves an access token of the owner of a workspace as text. A token that the run has revoked is replaced; a workspace
 * that it has made unusable, too.
 */
export async function startTokenServer(fleet: TestFleet): Promise<{ url: string; close(): void }> {
  let owner = fleet.owner
  let count = 0
  const issue = () => fleet.userToken(owner.ownerId, { workspaceId: owner.workspaceId })
  const isUsable = async (candidate: string) =>
    (await fleet.request('GET', '/v1/data/sources?limit=1', { as: candidate })).status === 200
  await raiseLimits(fleet)
  let token = await issue()

  async function current(): Promise<string> {
    if (await isUsable(token)) return token
    token = await issue()
    if (await isUsable(token)) return token
    count += 1
    owner = await fleet.seed(`fuzz-${count}`)
    await raiseLimits(fleet)
    token = await issue()
    return token
  }

  // Requests wait for each other, so that one token is replaced once.
  let last: Promise<unknown> = Promise.resolve()
  const server = createServer((_request, response) => {
    const next = last.then(current)
    last = next.catch(() => undefined)
    next.then(
      (text) => response.end(text),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Raises the rate limits of all workspaces: one credential sends all requests. */
async function raiseLimits(fleet: TestFleet): Promise<void> {
  const statement = 'UPDATE workspaces SET credential_per_minute = 1000000, workspace_per_minute = 1000000'
  await queryDatabase(fleet.databases.get('auth')?.adminUrl, statement)
}
