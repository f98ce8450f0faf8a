import { newId } from '@wp/database'
import type { TestResponse } from '@wp/testkit'
import type { DataService } from './service.ts'

/** A workspace of its own, in which a test searches. */
export interface SearchWorkspace {
  workspaceId: string
  /** Creates a source and fills it. */
  createSource(rows: readonly Record<string, unknown>[], config?: Record<string, unknown>): Promise<string>
  upload(sourceId: string, rows: readonly Record<string, unknown>[]): Promise<TestResponse>
  request(method: string, path: string, body?: unknown): Promise<TestResponse>
  /** The answer to a search by body, which must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: as the answers it comes from
  search(body: Record<string, unknown>): Promise<any>
  /** Titles of the hits, best first; none where only what is spelled alike was found. */
  searchTitles(query: string, more?: Record<string, unknown>): Promise<string[]>
}

export function createSearchWorkspace(service: DataService, workspaceId = newId('ws')): SearchWorkspace {
  const caller = { workspaceId }
  const request = (method: string, path: string, body?: unknown) => service.request(method, path, { caller, body })
  const upload = (sourceId: string, rows: readonly Record<string, unknown>[]) =>
    service.request('POST', `/v1/data/sources/${sourceId}/records`, {
      caller,
      rawBody: JSON.stringify(rows),
      headers: { 'content-type': 'application/json' },
    })
  async function search(body: Record<string, unknown>) {
    const answer = await request('POST', '/v1/data/search', body)
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return {
    workspaceId,
    request,
    upload,
    search,
    async createSource(rows, config = {}) {
      const id = await service.createSource({ config: { key: 'id', ...config } }, caller)
      const answer = await upload(id, rows)
      if (answer.status !== 200 || answer.body.data.counts.failed > 0)
        throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
      return id
    },
    async searchTitles(query, more = {}) {
      const { data, meta } = await search({ query, ...more })
      const isRespelled = meta.warnings.some(({ code }: { code: string }) => code === 'respelled')
      return isRespelled ? [] : data.map(({ title }: { title: string }) => title)
    },
  }
}
