import { newId } from '@wp/database'
import type { TestResponse } from '@wp/testkit'
import type { DataService } from './service.ts'

/** A workspace in which one test searches. */
export interface SearchWorkspace {
  workspaceId: string
  /** Creates an upload source with these rows. @returns its id */
  createSource(rows: readonly Record<string, unknown>[], config?: Record<string, unknown>): Promise<string>
  upload(sourceId: string, rows: readonly Record<string, unknown>[]): Promise<TestResponse>
  request(method: string, path: string, body?: unknown): Promise<TestResponse>
  /** Searches by POST. @returns the response body @throws if the search fails */
  // biome-ignore lint/suspicious/noExplicitAny: response bodies are not typed
  search(body: Record<string, unknown>): Promise<any>
  /** Returns the titles of hits, best first; none if words were respelled. */
  searchTitles(query: string, more?: Record<string, unknown>): Promise<string[]>
}

export function createSearchWorkspace(service: DataService, workspaceId = newId('ws')): SearchWorkspace {
  const caller = { workspaceId }
  const request = (method: string, path: string, body?: unknown) => service.request(method, path, { caller, body })
  async function upload(sourceId: string, rows: readonly Record<string, unknown>[]) {
    const response = await service.request('POST', `/v1/data/sources/${sourceId}/records`, {
      caller,
      rawBody: JSON.stringify(rows),
      headers: { 'content-type': 'application/json' },
    })
    await service.settle()
    return response
  }
  async function search(body: Record<string, unknown>) {
    const response = await request('POST', '/v1/data/search', body)
    if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(response.body)}`)
    return response.body
  }
  return {
    workspaceId,
    request,
    upload,
    search,
    async createSource(rows, config = {}) {
      const id = await service.createSource({ config: { key: 'id', ...config } }, caller)
      const response = await upload(id, rows)
      if (response.status !== 200 || response.body.data.counts.failed > 0)
        throw new Error(`${response.status} ${JSON.stringify(response.body)}`)
      return id
    },
    async searchTitles(query, more = {}) {
      const { data, meta } = await search({ query, ...more })
      const isRespelled = meta.warnings.some(({ code }: { code: string }) => code === 'respelled')
      return isRespelled ? [] : data.map(({ title }: { title: string }) => title)
    },
  }
}
