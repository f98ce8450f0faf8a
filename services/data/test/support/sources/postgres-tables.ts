import { isIP } from 'node:net'
import type { PostgresConfig } from '@wp/contracts'
import type { OutboundOptions } from '@wp/outbound'
import { createTestDatabase } from '@wp/testkit'
import { postgresReader } from '../../../src/providers/postgres/postgres-reader.ts'
import type { CrawlRequest } from '../../../src/providers/source-reader.ts'
import { withClient } from '../database.ts'
import { type CrawlOutcome, crawlAll, crawlFailureOf, crawlRequest, localOutbound } from './run-crawl.ts'

type More = Partial<CrawlRequest<PostgresConfig>> & { integrationConfig?: Record<string, unknown>; password?: string }

/** A database to crawl. */
export interface PostgresTables {
  url: string
  /** The same database with a role without privileges. */
  strangerUrl: string
  host: string
  port: number
  run(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  crawlOf(config: Partial<PostgresConfig> & { query: string }, more?: More): CrawlRequest<PostgresConfig>
  crawl(config: Partial<PostgresConfig> & { query: string }, more?: More): Promise<CrawlOutcome>
  fails(config: Partial<PostgresConfig> & { query: string }, more?: More): Promise<unknown>
  drop(): Promise<void>
}

/** @param server URL of a superuser; default the PostgreSQL server of the test run */
export async function createTables(server?: string, options: OutboundOptions = {}): Promise<PostgresTables> {
  // Without the tables of the service, whose migrations take seconds on a server of its own.
  const database = await createTestDatabase('crawled', server)
  const url = new URL(database.adminUrl)
  // A server in a container has its own address.
  const itsOwn = isIP(url.hostname) === 4 ? [`${url.hostname}/32`] : []
  const outbound = localOutbound({ allowCidrs: ['127.0.0.0/8', ...itsOwn], ...options })
  const own: PostgresTables = {
    url: url.href,
    strangerUrl: database.url,
    host: url.hostname,
    port: Number(url.port),
    run: (text, values) => withClient(url.href, async (client) => (await client.query(text, values)).rows),
    crawlOf: (config, { integrationConfig, password = decodeURIComponent(url.password), ...more } = {}) =>
      crawlRequest<PostgresConfig>({
        config: { overlap_seconds: 0, statement_timeout_seconds: 30, ...config },
        integration: {
          provider: 'postgres',
          config: {
            host: url.hostname,
            port: Number(url.port),
            database: database.name,
            user: url.username,
            ssl: 'disable',
            ...integrationConfig,
          },
          secrets: { password },
        },
        outbound,
        ...more,
      }),
    crawl: (config, more) => crawlAll(postgresReader, own.crawlOf(config, more)),
    fails: (config, more) => crawlFailureOf(postgresReader, own.crawlOf(config, more)),
    async drop() {
      outbound.close()
      await database.drop()
    },
  }
  return own
}
