import type { HttpConfig } from '@wp/contracts'
import { newId } from '@wp/database'
import { serviceCaller } from '@wp/events'
import { enqueue } from '@wp/jobs'
import { defineService, startService } from '@wp/service'
import { eventually, startTestService } from '@wp/testkit'
import { config } from '../../src/config.ts'
import { type Context, createContext } from '../../src/context.ts'
import type { Row } from '../../src/parsers/row.ts'
import type { CrawlRequest, CrawlResult, Page } from '../../src/providers/source-reader.ts'
import { createService } from '../../src/service.ts'
import { queue } from '../../src/sync/sync-job.ts'
import { queryAsWorker } from './database.ts'

type Script = (crawl: CrawlRequest<HttpConfig>) => AsyncGenerator<Page, CrawlResult>

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = any

/** A data service whose `http` sources are what a test says. */
export interface CrawlService {
  env: Record<string, string>
  /** What the next crawls read; the last one again and again. */
  scriptCrawls(...scripts: Script[]): void
  /** What crawls were given, the latest last. */
  crawls: CrawlRequest<HttpConfig>[]
  createSource(fields?: Record<string, unknown>): Promise<string>
  /** Puts a sync into the queue as the schedule does. @returns its id */
  startSync(getSource: string, mode?: 'full' | 'incremental'): Promise<string>
  waitForSync(runSync: string): Promise<Answer>
  /** A sync, once it has ended. */
  sync(source: string, mode?: 'full' | 'incremental'): Promise<Answer>
  source(id: string): Promise<Answer>
  /** What records say, by their keys. */
  readRecords(source: string): Promise<Record<string, Answer>>
  /** Titles of what a search for a word finds. */
  searchTitles(word: string): Promise<string[]>
  request(method: string, path: string, body?: unknown): Promise<{ status: number; body: Answer }>
  /** Another process of the same service. */
  startReplica(): Promise<{ stop(): Promise<void> }>
  stop(): Promise<void>
}

export async function startCrawlService(env: Record<string, string> = {}): Promise<CrawlService> {
  let scripts: Script[] = []
  let clock = Date.now()
  let database: Context['database'] | undefined
  const crawls: CrawlRequest<HttpConfig>[] = []
  const http = {
    provider: 'http' as const,
    crawl(crawl: CrawlRequest<HttpConfig>) {
      crawls.push(crawl)
      const script = scripts.length > 1 ? scripts.shift() : scripts[0]
      if (script === undefined) throw new Error('nothing is to be read')
      return script(crawl)
    },
  }
  const definition = defineService({
    name: 'data',
    config,
    createContext: async (settings, runtime) => {
      const context = await createContext(settings, runtime)
      database ??= context.database
      // So much time passes that every page is stored before the next.
      return { ...context, readers: { ...context.readers, http }, now: () => (clock += 5_000) }
    },
    createService: createService,
  })
  const service = await startTestService(definition, env)
  const request = (method: string, path: string, body?: unknown) => service.request(method, path, { body })
  const data = async (path: string) => (await request('GET', path)).body.data

  const ended = (sync: string) =>
    eventually(
      async () => {
        const found = await data(`/v1/data/syncs/${sync}`)
        return found.finished_at !== null && found
      },
      { timeoutMs: 20_000, description: `the end of ${sync}` },
    )

  async function start(source: string, mode?: 'full' | 'incremental') {
    const [workspaceId, id] = [service.caller.workspaceId, newId('sync')]
    const caller = serviceCaller('data', { shard: service.caller.shard, workspaceId, requestId: id })
    const input = { trigger: 'schedule', mode }
    await database?.transact(caller, (tx) => enqueue(tx, { id, queue, subject: source, exclusive: source, input }))
    return id
  }

  return {
    env: service.env,
    crawls,
    scriptCrawls(...given) {
      scripts = given
    },
    async createSource(fields = {}) {
      const address = { url: 'http://127.0.0.1:9009/rows.json', ...(fields.config ?? { key: 'id' }) }
      const body = { name: 'Rooms', provider: 'http', ...fields, config: address }
      const answer = await request('POST', '/v1/data/sources', body)
      if (answer.status !== 201) throw new Error(`no source: ${JSON.stringify(answer.body)}`)
      return answer.body.data.data_source_id
    },
    startSync: start,
    waitForSync: ended,
    sync: async (source, mode) => ended(await start(source, mode)),
    source: (id) => data(`/v1/data/sources/${id}`),
    async readRecords(source) {
      const rows = await queryAsWorker<{ key: string; data: unknown }>(
        service.env,
        'SELECT key, data FROM data_records WHERE data_source_id = $1 ORDER BY key',
        [source],
      )
      return Object.fromEntries(rows.map(({ key, data: createRow }) => [key, createRow]))
    },
    async searchTitles(word) {
      const { body } = await request('GET', `/v1/data/search?q=${word}&limit=100`)
      const isRespelled = body.meta.warnings.some(({ code }: { code: string }) => code === 'respelled')
      return isRespelled ? [] : body.data.map(({ title }: { title: string }) => title).sort()
    },
    request,
    startReplica: () => startService(definition, { ...service.env, PORT: '0' }),
    stop: () => service.stop(),
  }
}

let lines = 0
/** A row as a reader gives it. */
export const row = (value: Record<string, unknown>): Row => ({ line: ++lines, value })
/** Rows with ids from one up to another, without that. */
export const createRows = (from: number, to: number, more: Record<string, unknown> = {}): Row[] =>
  Array.from({ length: to - from }, (_, at) => row({ id: `${from + at}`, ...more }))

/** A crawl of these pages. */
export const yieldPages = (pages: readonly Page[], end: CrawlResult = 'complete'): Script =>
  async function* () {
    for (const page of pages) yield page
    return end
  }

/** A crawl that breaks off behind these pages, and is not to blame for it. */
export const yieldPagesThenFail = (pages: readonly Page[]): Script =>
  async function* () {
    for (const page of pages) yield page
    // What is stored by then is what another attempt finds.
    throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  }
