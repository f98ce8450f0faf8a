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

/** Address of a server and credentials. */
export type PostgresSettings = z.output<typeof Config> & z.output<typeof Secrets>

/** Reads the settings of a `postgres` integration. @throws JobFailure `config` */
export function parsePostgresSettings(integration: ResolvedIntegration | undefined): PostgresSettings {
  if (integration?.provider !== 'postgres')
    throw crawlFailure('config', 'The source names no integration with PostgreSQL')
  const [config, secrets] = [Config.safeParse(integration.config), Secrets.safeParse(integration.secrets)]
  if (!config.success || !secrets.success)
    throw crawlFailure('config', 'The integration does not say how to connect', config.error ?? secrets.error)
  return { ...config.data, ...secrets.data }
}
