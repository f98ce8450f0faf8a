import { z } from 'zod'
import { failed } from '../failure.ts'
import type { Connection } from '../provider.ts'

const Config = z.object({
  host: z.string(),
  port: z.number().default(5432),
  database: z.string(),
  user: z.string(),
  ssl: z.enum(['verify', 'disable']).default('verify'),
})

const Secrets = z.object({ password: z.string().optional(), ca: z.string().optional() })

/** Where a server is, and how to log in to it. */
export type Settings = z.output<typeof Config> & z.output<typeof Secrets>

/** What an integration `postgres` says. @throws JobFailure `config` */
export function settingsOf(connection: Connection | undefined): Settings {
  if (connection?.provider !== 'postgres') throw failed('config', 'The source names no integration with PostgreSQL')
  const [config, secrets] = [Config.safeParse(connection.config), Secrets.safeParse(connection.secrets)]
  if (!config.success || !secrets.success)
    throw failed('config', 'The integration does not say how to connect', config.error ?? secrets.error)
  return { ...config.data, ...secrets.data }
}
