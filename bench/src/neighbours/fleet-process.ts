// A fleet in this process, or with a process for each service, and the credentials of two of its workspaces.
import { startTestFleet, type TestFleet, type TestWorkspace } from '@wp/testkit'
import { serveCalls } from '../harness/helper-process.ts'
import type { Workspace } from './workspace.ts'

export interface Neighbours {
  quiet: Workspace
  hostile: Workspace
}

const tokenCount = 2_000
let fleet: TestFleet | undefined

async function start(mode: 'in-process' | 'processes'): Promise<Neighbours> {
  fleet = await startTestFleet({
    mode,
    limits: 'default',
    outbound: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', OUTBOUND_CA_FILE: process.env.CA_FILE ?? '' },
  })
  return { quiet: await describe(fleet, fleet.owner), hostile: await describe(fleet, fleet.stranger) }
}

const describe = async (running: TestFleet, workspace: TestWorkspace): Promise<Workspace> => ({
  baseUrl: running.baseUrl,
  workspaceId: workspace.workspaceId,
  apiKey: workspace.apiKey,
  tokens: await running.tokens(workspace, tokenCount),
})

serveCalls({ start, stop: () => fleet?.stop() })
