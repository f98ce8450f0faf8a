// A fleet in this process, or with a process for each service, and the credentials of workspaces in it.
import { setQuotaLimit } from '@wp/database'
import { startTestFleet, type TestFleet, type TestWorkspace } from '@wp/testkit'
import { Client } from 'pg'
import { serveCalls } from '../harness/helper-process.ts'
import type { Workspace } from './workspace.ts'

const tokenCount = 2_000
let fleet: TestFleet | undefined

async function start(mode: 'in-process' | 'processes'): Promise<Workspace> {
  fleet = await startTestFleet({
    mode,
    limits: 'default',
    outbound: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', OUTBOUND_CA_FILE: process.env.CA_FILE ?? '' },
  })
  return await describe(fleet, fleet.owner)
}

/** Creates a workspace that may have more subscriptions than the default quota. */
async function createHostile(name: string): Promise<Workspace> {
  if (fleet === undefined) throw new Error('the fleet has not started')
  const workspace = await fleet.seed(name)
  const client = new Client({ connectionString: fleet.databases.get('webhook-delivery')?.workerUrl })
  await client.connect()
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await client.query(text, [...values])).rows as Row[] // the statement returns none
  await setQuotaLimit(query, workspace.workspaceId, 'subscriptions', 1_000)
  await client.end()
  return await describe(fleet, workspace)
}

const describe = async (running: TestFleet, workspace: TestWorkspace): Promise<Workspace> => ({
  baseUrl: running.baseUrl,
  workspaceId: workspace.workspaceId,
  apiKey: workspace.apiKey,
  tokens: await running.tokens(workspace, tokenCount),
})

serveCalls({ start, createHostile, stop: () => fleet?.stop() })
