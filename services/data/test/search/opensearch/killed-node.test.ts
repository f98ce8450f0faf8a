import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { eventually, type SearchCluster, startSearchCluster } from '@wp/testkit'
import { createSearchWorkspace } from '../../support/search-workspace.ts'
import {
  buildIndex,
  createClient,
  describeWithOpenSearch,
  engineEnvironment,
  settleIndex,
} from '../../support/searching-service.ts'
import { type DataService, startDataService } from '../../support/service.ts'

describeWithOpenSearch(2)('a cluster of two nodes, of which one is killed', () => {
  let cluster: SearchCluster
  let service: DataService
  beforeAll(async () => {
    cluster = await startSearchCluster({ nodes: 2 })
    service = await startDataService(engineEnvironment(cluster))
    await buildIndex(service.env, { shards: 3, replicas: 1 })
    await createClient(service.env).request('GET', '/_cluster/health?wait_for_status=green&timeout=60s')
  })
  afterAll(async () => {
    await service?.stop()
    await cluster?.stop()
  })

  it('fails no search, and loses no record that is written in between', async () => {
    const workspace = createSearchWorkspace({ ...service, settle: async () => {} })
    const rowsOf = (batch: number) =>
      Array.from({ length: 50 }, (_, nth) => ({ id: `${batch}-${nth}`, title: `Oak ${batch}`, text: 'oak' }))
    const source = await workspace.createSource(rowsOf(0))
    await settleIndex(service.env)
    const counts = { searches: 0, fromDatabase: 0, records: 50 }
    let isOver = false
    const searching = (async () => {
      while (!isOver) {
        // Throws if the search fails.
        const { data, meta } = await workspace.search({ query: 'oak ', limit: 5 })
        expect(data).toHaveLength(5)
        counts.searches++
        if (meta.warnings.length > 0) counts.fromDatabase++
      }
    })()
    const writing = (async () => {
      for (let batch = 1; !isOver; batch++) {
        const response = await workspace.upload(source, rowsOf(batch))
        expect(response.status).toBe(200)
        counts.records += 50
      }
    })()
    const hasSearched = (more: number) => {
      const start = counts.searches
      return eventually(async () => counts.searches >= start + more, { timeoutMs: 120_000 })
    }
    await hasSearched(10)
    await cluster.nodes[1]?.kill('SIGKILL')
    await hasSearched(40)
    isOver = true
    await Promise.all([searching, writing])
    await settleIndex(service.env)
    const { meta } = await workspace.search({ query: 'oak ' })
    expect(meta).toMatchObject({ total: counts.records, warnings: [] })
    expect(counts.fromDatabase).toBeLessThan(counts.searches)
    process.stdout.write(`one of two nodes killed: ${JSON.stringify(counts)}, all found\n`)
  })
})
