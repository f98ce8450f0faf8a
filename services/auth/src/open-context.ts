import { createLogger, createMetrics, readConfig } from '@wp/service'
import { config } from './config.ts'
import { type Context, createContext } from './context.ts'

/**
 * The context of the auth service without the service: for seeding, and for tests that need a token. To be closed.
 * @throws ConfigError naming every bad variable
 */
export async function openContext(env: Readonly<Record<string, string | undefined>>): Promise<Context> {
  const settings = readConfig(config, env)
  const log = createLogger('auth', settings.LOG_LEVEL)
  return await createContext(settings, { log, metrics: createMetrics('auth', { process: false }), now: Date.now })
}
