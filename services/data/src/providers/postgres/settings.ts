import { z } from 'zod'
import { crawlFailure } from '../crawl-failure.ts'
import type { ResolvedIntegration } from '../source-reader.ts'

const Config = z.object({
  host: z.string(),
  port: z.number().default(5432),
  database: z.string(),
  user: z.string(),
  ssl: z.enum(['verify', 'disable']).default('verify'),
})

const Secrets = z.object({ password: z.string().optional(), ca: z.string().optional() })

/** Where a server is, and how to log in to it. */
export type PostgresSettings = z.output<typeof Config> & z.output<typeof Secrets>

/** What an integration `postgres` says. @throws JobFailure `config` */
export function parsePostgresSettings(connection: ResolvedIntegration | undefined): PostgresSettings {
  if (connection?.provider !== 'postgres')
    throw crawlFailure('config', 'The source names no integration with PostgreSQL')
  const [config, secrets] = [Config.safeParse(connection.config), Secrets.safeParse(connection.secrets)]
  if (!config.success || !secrets.success)
    throw crawlFailure('config', 'The integration does not say how to connect', config.error ?? secrets.error)
  return { ...config.data, ...secrets.data }
}
