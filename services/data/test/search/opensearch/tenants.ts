import { describe, expect, it } from '@jest/globals'
import { createWorkspaceSearch } from '../../../src/search/opensearch/query/workspace-search.ts'
import { createSearchWorkspace } from '../../support/search-workspace.ts'
import { createClient } from '../../support/searching-service.ts'
import type { DataService } from '../../support/service.ts'

const rows = Array.from({ length: 20 }, (_, nth) => ({
  id: `${nth}`,
  title: `Oak ${nth}`,
  text: 'oak',
  kind: `k${nth % 2}`,
}))

export function describeTenants(serviceOf: () => DataService): void {
  describe('a search beside other workspaces in one index', () => {
    it('finds, counts and respells nothing of theirs', async () => {
      const mine = createSearchWorkspace(serviceOf())
      const theirs = createSearchWorkspace(serviceOf())
      await theirs.createSource([...rows, { id: 'x', title: 'Sequoia', text: 'sequoia', kind: 'secret' }])
      await mine.createSource(rows.slice(0, 3))
      const found = await mine.search({ query: 'oak sequoia ', facets: ['kind'] })
      expect(found.data).toHaveLength(3)
      expect(found.meta).toEqual({
        mode_used: 'lexical',
        warnings: [],
        total: 3,
        facets: {
          kind: [
            { value: 'k0', count: 2 },
            { value: 'k1', count: 1 },
          ],
        },
      })
      const respelled = await mine.search({ query: 'sequoai ' })
      expect([respelled.data, respelled.meta.total, respelled.meta.warnings]).toEqual([[], 0, []])
    })

    it('is restricted to its workspace whatever the query says', async () => {
      const service = serviceOf()
      const [mine, theirs] = [createSearchWorkspace(service), createSearchWorkspace(service)]
      await theirs.createSource(rows)
      await mine.createSource(rows.slice(0, 3))
      const options = {
        alias: service.env.OPENSEARCH_INDEX ?? '',
        signal: new AbortController().signal,
        timeoutMs: 20_000,
      }
      const search = createWorkspaceSearch(createClient(service.env), mine.workspaceId, options)
      const totalOf = async (query: object) =>
        (await search.run({ query: { ...query }, size: 0, track_total_hits: true })).hits.total?.value
      expect(await totalOf({ match_all: {} })).toBe(3)
      expect(await totalOf({ term: { workspace_id: theirs.workspaceId } })).toBe(0)
      expect(
        await totalOf({ bool: { should: [{ term: { workspace_id: theirs.workspaceId } }, { match_all: {} }] } }),
      ).toBe(3)
    })
  })
}
