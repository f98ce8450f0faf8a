import { eventually, startTestFleet, type TestFleet, type TestResponse, type TestWorkspace } from '@wp/testkit'
import { queryAsWorker } from './database.ts'
import { type EmbeddingServer, startEmbeddingServer } from './embedding-server.ts'

type Body = Record<string, unknown>

/** A fleet whose data service can use a local embedding server. */
export interface SemanticFleet {
  fleet: TestFleet
  server: EmbeddingServer
  /** Creates a workspace for one test. */
  createWorkspace(): Promise<SemanticWorkspace>
  /** Queries the database of the data service as the worker role, which sees all workspaces. */
  queryRows<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

export interface SemanticWorkspace {
  workspace: TestWorkspace
  request(method: string, path: string, body?: unknown): Promise<TestResponse>
  /** Connects an integration to the embedding server, and chooses it for the workspace. @returns its id */
  connectProvider(config?: Body): Promise<string>
  /** Creates an upload source with these rows, by default one to embed. @returns its id */
  createSource(rows: readonly Body[], fields?: Body): Promise<string>
  upload(sourceId: string, rows: readonly Body[]): Promise<void>
  waitUntilEmbedded(): Promise<void>
  /** Searches in semantic mode by default. */
  // biome-ignore lint/suspicious/noExplicitAny: response bodies are not typed
  search(query: string, options?: Body): Promise<any>
  searchTitles(query: string, options?: Body): Promise<string[]>
}

interface FleetOptions {
  /** Additional environment of the data service. */
  env?: Record<string, string>
  /** Resolves when searches find what was stored before. @param env of the data service */
  settle?: (env: Record<string, string>) => Promise<void>
}

export async function startSemanticFleet({ env, settle = async () => {} }: FleetOptions = {}): Promise<SemanticFleet> {
  const server = await startEmbeddingServer()
  const fleet = await startTestFleet({
    services: ['auth', 'integrations', 'data'],
    env: { data: { EMBEDDING_POLL_MS: '50', EMBEDDING_QUERY_TIMEOUT_MS: '5000', ...env } },
  })
  let workspaces = 0
  return {
    fleet,
    server,
    queryRows: (text, values) => queryAsWorker(fleet.env('data'), text, values),
    async createWorkspace() {
      return createSemanticWorkspace(
        fleet,
        server,
        () => settle(fleet.env('data')),
        await fleet.seed(`semantic-${workspaces++}`),
      )
    },
    async stop() {
      await fleet.stop()
      await server.close()
    },
  }
}

function createSemanticWorkspace(
  fleet: TestFleet,
  server: EmbeddingServer,
  settle: () => Promise<void>,
  workspace: TestWorkspace,
): SemanticWorkspace {
  const request = (method: string, path: string, body?: unknown) =>
    fleet.request(method, path, { as: workspace.apiKey, body })
  async function requestOk(method: string, path: string, body?: unknown) {
    const response = await request(method, path, body)
    if (response.status > 299) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
    return response.body
  }
  async function upload(id: string, rows: readonly Body[]): Promise<void> {
    await requestOk('POST', `/v1/data/sources/${id}/records`, rows)
    await settle()
  }
  const search = (query: string, options: Body = {}) =>
    requestOk('POST', '/v1/data/search', { query, mode: 'semantic', ...options })
  return {
    workspace,
    request,
    search,
    upload,
    async searchTitles(query, options) {
      return (await search(query, options)).data.map(({ title }: { title: string }) => title)
    },
    async connectProvider(config = {}) {
      const { data } = await requestOk('POST', '/v1/integrations/integrations', {
        provider: 'openai_compatible',
        name: 'Models',
        config: { base_url: server.url, embedding_model: 'tiny', ...config },
        secrets: { api_key: 'sk-1' },
      })
      const tested = await requestOk('POST', `/v1/integrations/integrations/${data.integration_id}/test`)
      if (!tested.data.ok) throw new Error(JSON.stringify(tested.data))
      await requestOk('PATCH', '/v1/data/embedding', { integration_id: data.integration_id })
      return data.integration_id
    },
    async createSource(rows, fields = {}) {
      const { data } = await requestOk('POST', '/v1/data/sources', {
        name: 'Notes',
        provider: 'upload',
        embed: true,
        config: { key: 'id', title_field: 'title', text_field: 'text' },
        ...fields,
      })
      await upload(data.data_source_id, rows)
      return data.data_source_id
    },
    async waitUntilEmbedded() {
      await eventually(() => isEmbedded(fleet, workspace.workspaceId), {
        description: 'the embedding of all records',
      })
      await settle()
    },
  }
}

async function isEmbedded(fleet: TestFleet, workspaceId: string): Promise<boolean> {
  const [row] = await queryAsWorker<{ isPending: boolean }>(
    fleet.env('data'),
    `SELECT coalesce(bool_or(spaces.integration_id IS NULL OR progress.space IS DISTINCT FROM spaces.space
                             OR progress.next_document < index.next_document OR changes > 0), true) AS "isPending"
       FROM data_sources JOIN search_indexes AS index USING (workspace_id, data_source_id)
       LEFT JOIN embedding_spaces AS spaces USING (workspace_id)
       LEFT JOIN (SELECT data_source_id, space, next_document, (SELECT count(*) FROM embedding_changes AS c
                           WHERE c.data_source_id = p.data_source_id) AS changes
                    FROM embedding_progress AS p) AS progress USING (data_source_id)
      WHERE workspace_id = $1 AND embed`,
    [workspaceId],
  )
  return row?.isPending === false
}
