import { dirname } from 'node:path'
import {
  createInternalCalls,
  createSigner,
  createUpstreams,
  type InternalCalls,
  keyFilePaths,
  readSigningKey,
} from '@wp/service'
import { createTestCaller, startTestFleet, type TestFleet, type TestWorkspace } from '@wp/testkit'
import type { ToolCall } from '../../src/tools/tool.ts'

/** Tools as the service calls them, with the services whose endpoints they use. */
export interface ToolsHarness {
  fleet: TestFleet
  internal: InternalCalls
  /** A call by the service principal of a workspace, by default the owner's with every scope. */
  call(more?: Partial<ToolCall>, workspace?: TestWorkspace): ToolCall
  /** Creates an upload source with these records. @returns its id */
  createSource(
    name: string,
    csv: string,
    options?: { config?: Record<string, unknown>; workspace?: TestWorkspace },
  ): Promise<string>
  stop(): Promise<void>
}

export async function startToolsHarness(
  services: readonly ('auth' | 'data' | 'system' | 'solutions' | 'integrations')[],
): Promise<ToolsHarness> {
  const fleet = await startTestFleet({ services })
  const tokens = new Map<string, string>()
  for (const workspace of [fleet.owner, fleet.stranger]) tokens.set(workspace.workspaceId, await fleet.token(workspace))
  const { SHARD: shard = '', LOCATION: location = '', ASSERTION_KEY_FILE: keyFile = '' } = fleet.env('auth')
  const key = await readSigningKey(keyFilePaths(dirname(keyFile)).keyFile('ai'), 'ai')
  const upstreams = createUpstreams({
    SHARD: shard,
    HOME_SHARD: undefined,
    UPSTREAM: '',
    UPSTREAM_OVERRIDES: { ...fleet.addresses },
  })
  const internal = createInternalCalls({ signer: createSigner(key), upstreams, shard, location })
  return {
    fleet,
    internal,
    call(more = {}, workspace = fleet.owner) {
      const { workspaceId, clientId } = workspace
      const principal = { id: clientId, type: 'service_principal' as const }
      const caller = {
        ...createTestCaller(workspaceId, shard),
        workspaceId,
        principal,
        credentialId: clientId,
        requestId: 'req-tools-test',
      }
      return { caller, dataSourceIds: [], signal: new AbortController().signal, callId: 'call_1', ...more }
    },
    async createSource(name, csv, { config = { key: 'id' }, workspace = fleet.owner } = {}) {
      const as = tokens.get(workspace.workspaceId) ?? ''
      const created = await fleet.request('POST', '/v1/data/sources', {
        as,
        body: { name, provider: 'upload', config },
      })
      if (created.status !== 201) throw new Error(`no source: ${JSON.stringify(created.body)}`)
      const id: string = created.body.data.data_source_id
      const headers = { 'content-type': 'text/csv' }
      const sent = await fleet.request('POST', `/v1/data/sources/${id}/records`, { as, rawBody: csv, headers })
      if (sent.status !== 200) throw new Error(`the records were not taken: ${JSON.stringify(sent.body)}`)
      return id
    },
    async stop() {
      await internal.close()
      await fleet.stop()
    },
  }
}
