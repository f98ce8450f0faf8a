import { describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import type { SearchCluster } from '@wp/testkit'
import { writeDocuments } from '../../../src/search/opensearch/index/write-documents.ts'
import { queryAsWorker } from '../../support/database.ts'
import { createSearchWorkspace } from '../../support/search-workspace.ts'
import {
  buildIndex,
  createClient,
  engineEnvironment,
  settleIndex,
  startServiceWithOpenSearch,
} from '../../support/searching-service.ts'
import { startDataService } from '../../support/service.ts'

const rowsOf = (count: number, text = 'oak') =>
  Array.from({ length: count }, (_, nth) => ({ id: `${nth}`, title: `Oak ${nth}`, text }))

export function describeIndexing(clusterOf: () => SearchCluster): void {
  describe('the index', () => {
    it('is built from PostgreSQL, follows changes, and is rebuilt after its loss', async () => {
      const service = await startDataService(engineEnvironment(clusterOf()))
      const client = createClient(service.env)
      const alias = service.env.OPENSEARCH_INDEX
      const workspace = createSearchWorkspace(service)
      const find = async (query = 'oak ') => {
        const { meta } = await workspace.search({ query })
        return [meta.total, meta.warnings.map(({ code }: { code: string }) => code)]
      }
      try {
        const source = await workspace.createSource(rowsOf(600))
        expect(await find()).toEqual([600, ['search_engine_unavailable']])
        expect(await buildIndex(service.env)).toEqual([
          expect.stringMatching(/: created$/),
          expect.stringMatching(/: 600 records written$/),
          expect.stringMatching(/: searched from now on$/),
        ])
        // The circuit of the first search is closed again.
        await workspace.upload(source, [
          { id: '0', title: 'Ash', text: 'ash' },
          { id: 'new', title: 'Oak', text: 'oak' },
        ])
        await settleIndex(service.env)
        expect([await find(), await find('ash ')]).toEqual([
          [600, []],
          [1, []],
        ])
        const { data } = await workspace.search({ query: 'ash ' })
        expect((await workspace.request('DELETE', `/v1/data/records/${data[0].record_id}`)).status).toBe(200)
        // Before the search engine has heard of it.
        expect((await workspace.search({ query: 'ash ' })).data).toEqual([])
        await settleIndex(service.env)
        expect(await find('ash ')).toEqual([0, []])

        await client.request('DELETE', `/${alias}-*`)
        await workspace.upload(source, [{ id: 'later', title: 'Oak', text: 'oak' }])
        expect(await find()).toEqual([601, ['search_engine_unavailable']])
        const lines = await buildIndex(service.env)
        expect(lines[0]).toMatch(/: is lost$/)
        expect(lines.at(-2)).toMatch(/: 601 records written$/)
        await settleIndex(service.env)
        expect(await find()).toEqual([601, []])
      } finally {
        await service.stop()
      }
    })

    it('misses no change while it is rebuilt, and keeps the newest of each record', async () => {
      const service = await startServiceWithOpenSearch(clusterOf())
      const workspace = createSearchWorkspace({ ...service, settle: async () => {} })
      try {
        const source = await workspace.createSource(rowsOf(600))
        const changes = (async () => {
          for (let round = 1; round <= 3; round++)
            await workspace.upload(source, rowsOf(600, `oak round${round}`).slice(round * 100))
        })()
        for (let round = 0; round < 2; round++) await buildIndex(service.env)
        await changes
        await settleIndex(service.env)
        for (const [query, total] of [
          ['oak ', 600],
          ['round3 ', 300],
          ['round2 ', 100],
          ['round1 ', 100],
        ] as const)
          expect([query, (await workspace.search({ query })).meta.total]).toEqual([query, total])
      } finally {
        await service.stop()
      }
    })

    it('does not replace a document by an older version, nor bring a deleted one back', async () => {
      const service = await startServiceWithOpenSearch(clusterOf())
      const client = createClient(service.env)
      try {
        const [feed] = await queryAsWorker<{ name: string }>(service.env, 'SELECT index_name AS name FROM search_feeds')
        const workspaceId = newId('ws')
        const write = (recordId: string, version: number, title: string | undefined) =>
          writeDocuments(client, feed?.name ?? '', [
            {
              recordId,
              workspaceId,
              version: `${version}`,
              document: title === undefined ? undefined : { workspace_id: workspaceId, title_english: title },
            },
          ])
        const read = async (id: string) => {
          const path = `/${feed?.name}/_doc/${id}?routing=${workspaceId}`
          const found = await client.request('GET', path).catch(() => undefined)
          return (found as { _source?: { title_english?: string } } | undefined)?._source?.title_english
        }
        for (const [version, title] of [
          [5, 'five'],
          [4, 'four'],
          [5, 'five again'],
          [3, undefined],
        ] as const)
          await write('a', version, title)
        expect(await read('a')).toBe('five again')
        for (const [version, title] of [
          [7, undefined],
          [6, 'six'],
        ] as const)
          expect((await write('a', version, title)).written).toHaveLength(1)
        expect(await read('a')).toBeUndefined()
      } finally {
        await service.stop()
      }
    })

    it('is written for all workspaces in turns, whichever has many changes', async () => {
      const service = await startServiceWithOpenSearch(clusterOf(), { OPENSEARCH_POLL_MS: '60000' })
      try {
        const busy = newId('ws')
        const calm = newId('ws')
        await queryAsWorker(
          service.env,
          `INSERT INTO search_changes (record_id, workspace_id, version)
           SELECT 'rec_busy' || nth, $1, nth FROM generate_series(1, 5000) AS nth UNION ALL SELECT 'rec_calm', $2, 9999`,
          [busy, calm],
        )
        const { connectDatabase } = await import('@wp/database')
        const { claimSearchChanges } = await import('../../../src/store/search-feed/search-changes.ts')
        const url = service.env.DATABASE_WORKER_URL ?? ''
        const database = connectDatabase({ url, workerUrl: url, prisma: () => ({}), shard: '' })
        const claimed = await claimSearchChanges(database.worker, '', { workspaces: 50, changes: 500 })
        await database.close()
        expect(claimed.filter(({ workspaceId }) => workspaceId === calm)).toHaveLength(1)
        expect(claimed.filter(({ workspaceId }) => workspaceId === busy)).toHaveLength(250)
      } finally {
        await service.stop()
      }
    })

    it('forgets the records of a deleted source', async () => {
      const service = await startServiceWithOpenSearch(clusterOf())
      const workspace = createSearchWorkspace(service)
      const client = createClient(service.env)
      const count = async () => {
        const found = await client.request('GET', `/${service.env.OPENSEARCH_INDEX}/_count`)
        return (found as { count: number }).count
      }
      try {
        const source = await workspace.createSource(rowsOf(30))
        await workspace.createSource(rowsOf(5))
        expect(await count()).toBe(35)
        await workspace.request('DELETE', `/v1/data/sources/${source}`)
        expect((await workspace.search({ query: 'oak ' })).meta.total).toBe(5)
        const { eventually } = await import('@wp/testkit')
        await eventually(async () => {
          await settleIndex(service.env)
          return (await count()) === 5
        })
      } finally {
        await service.stop()
      }
    })
  })
}
