import type { HttpConfig } from '@wp/contracts'
import { newId } from '@wp/database'
import { serviceCaller } from '@wp/events'
import { enqueue } from '@wp/jobs'
import { defineService, startService } from '@wp/service'
import { eventually, startTestService } from '@wp/testkit'
import { config } from '../../../src/config.ts'
import { type Context, createContext } from '../../../src/context.ts'
import type { Row } from '../../../src/parsers/row.ts'
import { httpReader } from '../../../src/providers/http/http-reader.ts'
import type { CrawlRequest, CrawlResult, Page } from '../../../src/providers/source-reader.ts'
import { createService } from '../../../src/service.ts'
import { queue } from '../../../src/sync/sync-job.ts'
import { queryAsWorker } from '../database.ts'

type Script = (crawl: CrawlRequest<HttpConfig>) => AsyncGenerator<Page, CrawlResult>

// biome-ignore lint/suspicious/noExplicitAny: response bodies are not typed
type ResponseBody = any

/** A data service whose `http` sources are read by scripts of a test. */
export interface CrawlService {
  env: Record<string, string>
  /** Sets the scripts of the next crawls; the last one repeats. */
  scriptCrawls(...scripts: Script[]): void
  /** The requests of all crawls, oldest first. */
  crawls: CrawlRequest<HttpConfig>[]
  createSource(fields?: Record<string, unknown>): Promise<string>
  /** Queues a scheduled sync. @returns its id */
  startSync(source: string, mode?: 'full' | 'incremental', more?: object): Promise<string>
  waitForSync(sync: string): Promise<ResponseBody>
  /** Queues a scheduled sync and waits for its end. */
  runSync(source: string, mode?: 'full' | 'incremental'): Promise<ResponseBody>
  getSource(id: string): Promise<ResponseBody>
  /** Returns the data of records by key. */
  readRecords(source: string): Promise<Record<string, ResponseBody>>
  /** Searches a word. @returns the titles of hits, sorted; none if the word was respelled */
  searchTitles(word: string): Promise<string[]>
  request(method: string, path: string, body?: unknown): Promise<{ status: number; body: ResponseBody }>
  /** Sends a request as another service. */
  requestAs(method: string, path: string, options: object): Promise<{ status: number; body: ResponseBody }>
  /** Ends the time of the crawl that started last. */
  elapseCrawlTime(): void
  /** Starts another process of the same service. */
  startReplica(): Promise<{ stop(): Promise<void> }>
  stop(): Promise<void>
}

export async function startCrawlService(env: Record<string, string> = {}): Promise<CrawlService> {
  let scripts: Script[] = []
  let clock = Date.now()
  let elapseCrawlTime = () => {}
  let database: Context['database'] | undefined
  const crawls: CrawlRequest<HttpConfig>[] = []
  const http = {
    provider: 'http' as const,
    address: httpReader.address,
    crawl(crawl: CrawlRequest<HttpConfig>) {
      crawls.push(crawl)
      const script = scripts.length > 1 ? scripts.shift() : scripts[0]
      if (script === undefined) throw new Error('no crawl is scripted')
      return script(crawl)
    },
  }
  const definition = defineService({
    name: 'data',
    config,
    createContext: async (settings, runtime) => {
      const context = await createContext(settings, runtime)
      database ??= context.database
      // Every reading of the clock is later than the maximum age of a batch, so each page is stored at once.
      const startTimer: Context['startTimer'] = (_ms, onElapsed) => {
        elapseCrawlTime = onElapsed
        return () => {}
      }
      return { ...context, readers: { ...context.readers, http }, startTimer, now: () => (clock += 5_000) }
    },
    createService,
  })
  const service = await startTestService(definition, env)
  const request = (method: string, path: string, body?: unknown) => service.request(method, path, { body })
  const getData = async (path: string) => (await request('GET', path)).body.data

  const waitForSync = (sync: string) =>
    eventually(
      async () => {
        const state = await getData(`/v1/data/syncs/${sync}`)
        return state.finished_at !== null && state
      },
      { description: `the end of ${sync}` },
    )

  async function startSync(source: string, mode?: 'full' | 'incremental', more: object = {}) {
    const [workspaceId, id] = [service.caller.workspaceId, newId('sync')]
    const caller = serviceCaller('data', { shard: service.caller.shard, workspaceId, requestId: id })
    const input = { trigger: 'schedule', mode, ...more }
    await database?.transact(caller, (tx) => enqueue(tx, { id, queue, subject: source, exclusive: source, input }))
    return id
  }

  return {
    env: service.env,
    crawls,
    scriptCrawls(...next) {
      scripts = next
    },
    async createSource(fields = {}) {
      const config = { url: 'http://127.0.0.1:9009/rows.json', ...(fields.config ?? { key: 'id' }) }
      const body = { name: 'Rooms', provider: 'http', ...fields, config }
      const response = await request('POST', '/v1/data/sources', body)
      if (response.status !== 201) throw new Error(`failed to create a source: ${JSON.stringify(response.body)}`)
      return response.body.data.data_source_id
    },
    startSync,
    waitForSync,
    runSync: async (source, mode) => waitForSync(await startSync(source, mode)),
    getSource: (id) => getData(`/v1/data/sources/${id}`),
    async readRecords(source) {
      const rows = await queryAsWorker<{ key: string; data: unknown }>(
        service.env,
        'SELECT key, data FROM data_records WHERE data_source_id = $1 ORDER BY key',
        [source],
      )
      return Object.fromEntries(rows.map(({ key, data: value }) => [key, value]))
    },
    async searchTitles(word) {
      const { body } = await request('GET', `/v1/data/search?q=${word}&limit=100`)
      const isRespelled = body.meta.warnings.some(({ code }: { code: string }) => code === 'respelled')
      return isRespelled ? [] : body.data.map(({ title }: { title: string }) => title).sort()
    },
    request,
    requestAs: service.request,
    elapseCrawlTime: () => elapseCrawlTime(),
    startReplica: () => startService(definition, { ...service.env, PORT: '0' }),
    stop: () => service.stop(),
  }
}

let lastLine = 0
/** Creates a row as a reader returns it. */
export const createRow = (value: Record<string, unknown>): Row => ({ line: ++lastLine, value })
/** Creates rows with ids from `from` up to, but not including, `to`. */
export const createRows = (from: number, to: number, more: Record<string, unknown> = {}): Row[] =>
  Array.from({ length: to - from }, (_, at) => createRow({ id: `${from + at}`, ...more }))

/** A script that yields pages. */
export const yieldPages = (pages: readonly Page[], end: CrawlResult = 'complete'): Script =>
  async function* () {
    for (const page of pages) yield page
    return end
  }

/** A script that yields pages and then loses its connection, which does not count as an attempt. */
export const yieldPagesThenFail = (pages: readonly Page[]): Script =>
  async function* () {
    for (const page of pages) yield page
    throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' })
  }
