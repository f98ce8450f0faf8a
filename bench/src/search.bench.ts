import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createRandom } from '@wp/lab/random'
import {
  eventually,
  findSearchClusterProblem,
  type SearchCluster,
  startSearchCluster,
  type TestFleet,
} from '@wp/testkit'
import { runClosedLoop, wireRequest } from './harness/closed-loop.ts'
import { createApiKeys, inDatabase, postgresProcess, withFleet } from './harness/fleet.ts'
import { type MeteredProcess, meteredProcess, startMeter } from './harness/process-usage.ts'
import { type Row, report } from './harness/report.ts'
import { percentileColumns } from './harness/statistics.ts'
import { readBeirCollection, readMultilingualCollection } from './search/collections.ts'
import { findEmbeddingsProblem } from './search/embed-collection.ts'
import { createSearchIndex, mergeSegments, searchBody } from './search/opensearch-alone.ts'
import { measureQuality } from './search/ranking-quality.ts'
import { generateRecords, queryKinds } from './search/synthetic-corpus.ts'
import { upload } from './search/upload.ts'

type SearchLoad = Record<'records' | 'seconds' | 'workspaces', number>

const services = ['auth', 'data'] as const
const recordsPerWorkspace = 1_000

/** Measures the ranking quality on a collection, or one engine after the other with the same records and queries. */
export async function run({ collection, ...load }: SearchLoad & { collection: string | undefined }): Promise<void> {
  if (collection !== undefined) {
    const read = collection === 'multilingual' ? readMultilingualCollection() : readBeirCollection(collection)
    const problem = findEmbeddingsProblem(read.documents.length)
    if (problem !== undefined) process.stdout.write(`only words are measured: ${problem}\n`)
    const names = problem === undefined ? [...services, 'integrations' as const] : [...services]
    return await withFleet({ services: names }, (fleet) => measureQuality(fleet, read, problem === undefined))
  }
  const rows = await withFleet({ services: [...services] }, (fleet) => measureSpeed(fleet, 'postgres', load))
  const problem = findSearchClusterProblem()
  if (problem === undefined) rows.push(...(await measureSearchCluster(load)))
  else process.stdout.write(`only PostgreSQL is measured: ${problem}\n`)
  report('search', rows, { ...load, recordsPerWorkspace })
}

async function measureSearchCluster(load: SearchLoad): Promise<Row[]> {
  const cluster = await startSearchCluster({ heapMib: 1_024, isMeasured: true })
  const data = {
    SEARCH_ENGINE: 'opensearch',
    OPENSEARCH_URL: cluster.url,
    // An answer of PostgreSQL would be measured as one of OpenSearch.
    OPENSEARCH_TIMEOUT_MS: '30000',
    SEARCH_TIMEOUT_MS: '60000',
    // As many shards as production has by default, and one node.
    OPENSEARCH_SHARDS: '6',
    OPENSEARCH_REPLICAS: '0',
  }
  const options = { services: [...services], env: { data } }
  try {
    const rows = await measureClusterAlone(cluster, load)
    return [...rows, ...(await withFleet(options, (fleet) => measureSpeed(fleet, 'opensearch', load, cluster)))]
  } finally {
    await cluster.stop()
  }
}

type Engine = 'postgres' | 'opensearch'

async function measureSpeed(
  fleet: TestFleet,
  engine: Engine,
  load: SearchLoad,
  cluster?: SearchCluster,
): Promise<Row[]> {
  const { records, seconds, workspaces } = load
  const [key = ''] = await createApiKeys(fleet, 1)
  for (let index = 0; index < workspaces; index++) {
    const { apiKey } = await fleet.seed(`other-${index}`)
    await upload(fleet, apiKey, generateRecords(recordsPerWorkspace, index + 2))
  }
  const startedAt = performance.now()
  await upload(fleet, fleet.owner.apiKey, generateRecords(records, 1))
  const perSecond = (count: number, sinceMs: number) => Math.round((1_000 * count) / (performance.now() - sinceMs))
  process.stdout.write(`${engine}: ${perSecond(records, startedAt)} records/s were uploaded\n`)
  if (engine === 'opensearch') {
    const builtAt = performance.now()
    await buildSearchIndex(fleet.env('data'))
    await mergeSegments(cluster?.nodes[0]?.url ?? '', 'records')
    const total = records + workspaces * recordsPerWorkspace
    process.stdout.write(`${engine}: ${perSecond(total, builtAt)} records/s were indexed\n`)
  }
  if (engine === 'postgres') await eventually(() => isMerged(fleet), { timeoutMs: 600_000, intervalMs: 500 })
  const processes = [
    await postgresProcess(fleet.databases.get('data')?.adminUrl ?? ''),
    ...(['data', 'gateway'] as const).map((name) => meteredProcess(name, fleet.member(name))),
    ...meteredNodes(cluster),
  ]
  return await measureQueries(engine, fleet.baseUrl, seconds, processes, (text) =>
    wireRequest(`/v1/data/search?${new URLSearchParams({ q: text, limit: '10' })}`, key),
  )
}

/** Returns true if no segments of the indexes wait for their merge, which begins when the uploads have ended. */
const isMerged = (fleet: TestFleet): Promise<boolean> =>
  inDatabase(fleet, 'data', async (client) => {
    const waiting = 'SELECT FROM search_indexes WHERE segments - merged_segments >= 4'
    return (await client.query(waiting)).rows.length === 0
  })

/** Measures OpenSearch asked directly, with the same records and a query that finds, ranks and marks the same words. */
async function measureClusterAlone(cluster: SearchCluster, { records, seconds }: SearchLoad): Promise<Row[]> {
  const url = cluster.nodes[0]?.url ?? ''
  await createSearchIndex(url, generateRecords(records, 1))
  return await measureQueries('opensearch alone', url, seconds, meteredNodes(cluster), (text) =>
    wireRequest('/alone/_search', 'accept: application/json', searchBody(text)),
  )
}

/** Returns the processes of a cluster; none if it is a container. */
const meteredNodes = (cluster: SearchCluster | undefined): MeteredProcess[] =>
  (cluster?.nodes ?? []).flatMap((node) => (node.pid === undefined ? [] : [meteredProcess('OpenSearch', node)]))

async function measureQueries(
  engine: string,
  url: string,
  seconds: number,
  processes: readonly MeteredProcess[],
  toRequest: (text: string) => Buffer,
): Promise<Row[]> {
  const requestsOf = (generateQuery: (random: () => number) => string) => {
    const random = createRandom(7).next
    return Array.from({ length: 500 }, () => toRequest(generateQuery(random)))
  }
  // A virtual machine compiles what it has run often: as often for a slow engine as for a fast one.
  for (const generateQuery of Object.values(queryKinds))
    await runClosedLoop({ url, requests: requestsOf(generateQuery), connections: 8 })
  const rows: Row[] = []
  for (const clients of [1, 8])
    for (const [query, generateQuery] of Object.entries(queryKinds)) {
      const requests = requestsOf(generateQuery)
      const readUsage = startMeter(processes)
      const summary = await runClosedLoop({ url, requests, connections: clients, seconds })
      const usage = readUsage()
      const cpuMs = usage.processes.map(({ cpuMs }) => cpuMs / (summary.perSecond * usage.seconds))
      const figures = { 'per s': Math.round(summary.perSecond), 'not 2xx': summary.failures }
      const sum = cpuMs.reduce((total, each) => total + each, 0)
      const byProcess = Object.fromEntries(processes.map(({ name }, nth) => [`${name} ms`, cpuMs[nth] ?? 0]))
      rows.push({ engine, query, clients, ...percentileColumns(summary), ...figures, 'cpu ms': sum, ...byProcess })
    }
  return rows
}

/** Builds the index with the command that operators use. @param env of the data service */
async function buildSearchIndex(env: Record<string, string>): Promise<void> {
  const root = join(import.meta.dirname, '../..')
  const command = [join(root, 'services/data/src/rebuild-main.ts')]
  const options = { cwd: root, env: { ...process.env, ...env }, timeout: 1_800_000 }
  await promisify(execFile)(process.execPath, command, options)
}
