import { eventually, startTestFleet, type TestFleet, type TestResponse, type TestWorkspace } from '@wp/testkit'
import { queryAsWorker } from './database.ts'
import { type EmbeddingServer, startEmbeddingServer } from './embedding-server.ts'

type Body = Record<string, unknown>

/** A fleet whose data service embeds records by a server of its own. */
export interface SemanticFleet {
  fleet: TestFleet
  server: EmbeddingServer
  /** A workspace nobody else writes to. */
  createWorkspace(): Promise<SemanticWorkspace>
  /** As the role that sees all workspaces. */
  queryRows<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

export interface SemanticWorkspace {
  workspace: TestWorkspace
  request(method: string, path: string, body?: unknown): Promise<TestResponse>
  /** Connects the server. @returns the integration */
  connectProvider(config?: Body): Promise<string>
  createSource(rows: readonly Body[]): Promise<string>
  upload(sourceId: string, rows: readonly Body[]): Promise<void>
  /** Until everything is embedded. */
  waitUntilEmbedded(): Promise<void>
  // biome-ignore lint/suspicious/noExplicitAny: as the answers it comes from
  search(query: string, more?: Body): Promise<any>
  searchTitles(query: string, more?: Body): Promise<string[]>
}

export async function startSemanticFleet(): Promise<SemanticFleet> {
  const server = await startEmbeddingServer()
  const fleet = await startTestFleet({
    services: ['auth', 'integrations', 'data'],
    env: { data: { EMBEDDING_POLL_MS: '50', EMBEDDING_QUERY_TIMEOUT_MS: '2000' } },
  })
  const rows = <Row extends object>(text: string, values?: unknown[]) =>
    queryAsWorker<Row>(fleet.env('data'), text, values)
  let workspaces = 0
  return {
    fleet,
    server,
    queryRows: rows,
    async stop() {
      await fleet.stop()
      await server.close()
    },
    async createWorkspace() {
      const tenant = await fleet.seed(`semantic-${workspaces++}`)
      const request = (method: string, path: string, body?: unknown) =>
        fleet.request(method, path, { as: tenant.apiKey, body })
      async function done(method: string, path: string, body?: unknown) {
        const answer = await request(method, path, body)
        if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
        return answer.body
      }
      const upload = (id: string, records: readonly Body[]) => done('POST', `/v1/data/sources/${id}/records`, records)
      const search = (query: string, more: Body = {}) =>
        done('POST', '/v1/data/search', { query, mode: 'semantic', ...more })
      return {
        workspace: tenant,
        request,
        search,
        upload,
        async searchTitles(query, more) {
          return (await search(query, more)).data.map(({ title }: { title: string }) => title)
        },
        async connectProvider(config = {}) {
          const { data } = await done('POST', '/v1/integrations/integrations', {
            provider: 'openai_compatible',
            name: 'Models',
            config: { base_url: server.url, embedding_model: 'tiny', ...config },
            secrets: { api_key: 'sk-1' },
          })
          const tested = await done('POST', `/v1/integrations/integrations/${data.integration_id}/test`)
          if (!tested.data.ok) throw new Error(JSON.stringify(tested.data))
          return data.integration_id
        },
        async createSource(records) {
          const { data } = await done('POST', '/v1/data/sources', {
            name: 'Notes',
            provider: 'upload',
            config: { key: 'id', title_field: 'title', text_field: 'text' },
          })
          await upload(data.data_source_id, records)
          return data.data_source_id
        },
        async waitUntilEmbedded() {
          await eventually(
            async () => {
              const [left] = await rows<{ left: boolean }>(
                `SELECT coalesce(bool_or(spaces.integration_id IS NULL OR progress.space IS DISTINCT FROM spaces.space
                                         OR progress.next_document < index.next_document OR changes > 0), true) AS left
                   FROM data_sources JOIN search_indexes AS index USING (workspace_id, data_source_id)
                   LEFT JOIN embedding_spaces AS spaces USING (workspace_id)
                   LEFT JOIN (SELECT data_source_id, space, next_document, (SELECT count(*) FROM embedding_changes AS c
                                       WHERE c.data_source_id = p.data_source_id) AS changes
                                FROM embedding_progress AS p) AS progress USING (data_source_id)
                  WHERE workspace_id = $1`,
                [tenant.workspaceId],
              )
              return left?.left === false
            },
            { timeoutMs: 45_000, description: 'the embedding of all records' },
          )
        },
      }
    },
  }
}
