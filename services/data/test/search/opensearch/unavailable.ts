import { describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually, type SearchCluster } from '@wp/testkit'
import { createSearchWorkspace } from '../../support/search-workspace.ts'
import type { DataService } from '../../support/service.ts'

const rows = Array.from({ length: 30 }, (_, nth) => ({
  id: `${nth}`,
  title: `Oak ${nth}`,
  text: 'oak',
  kind: `k${nth % 3}`,
}))

export function describeUnavailable(testOf: () => { cluster: SearchCluster; service: DataService }): void {
  describe('while the search engine is away', () => {
    it('PostgreSQL answers with a warning, page after page, and the engine again when it is back', async () => {
      const { cluster, service } = testOf()
      const workspaceId = newId('ws')
      const workspace = createSearchWorkspace(service, workspaceId)
      const away = createSearchWorkspace({ ...service, settle: async () => {} }, workspaceId)
      await workspace.createSource(rows)
      const body = { query: 'oak ', limit: 10, facets: ['kind'] }
      const first = await workspace.search(body)
      expect(first.meta).toMatchObject({ total: 30, warnings: [] })

      await cluster.nodes[0]?.kill('SIGKILL')
      const second = await workspace.search({ ...body, cursor: first.pagination.next_cursor })
      expect(second.data).toHaveLength(10)
      expect(second.meta).toMatchObject({
        total: 30,
        facets: first.meta.facets,
        warnings: [{ code: 'search_engine_unavailable' }],
      })
      const third = await workspace.search({ ...body, cursor: second.pagination.next_cursor })
      expect([third.data.length, third.pagination.next_cursor]).toEqual([10, null])
      const keys = [first, second, third].flatMap(({ data }) => data.map(({ key }: { key: string }) => key))
      expect(new Set(keys).size).toBe(30)
      const source = await away.createSource([{ id: 'x', title: 'Larch', text: 'stored while it is away' }])
      expect((await away.search({ query: 'larch ' })).data).toMatchObject([{ data_source_id: source }])

      await cluster.nodes[0]?.restart()
      await eventually(async () => (await workspace.search({ query: 'larch ' })).meta.warnings.length === 0, {
        timeoutMs: 120_000,
        intervalMs: 200,
      })
      await service.settle()
      const back = await workspace.search({ query: 'larch ' })
      expect([back.data, back.meta.warnings]).toMatchObject([[{ key: 'x' }], []])
      expect((await workspace.search(body)).meta).toMatchObject({ total: 30, warnings: [] })
    })
  })
}
