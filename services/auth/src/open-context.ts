import { createLogger, createMetrics, readConfig } from '@wp/service'
import { config } from './config.ts'
import { type Context, createContext } from './context.ts'

/**
 * Creates a context without the service, for seeding and for tests that need a token. The caller must close it.
 * @throws ConfigError naming every invalid variable
 */
export async function openContext(env: Readonly<Record<string, string | undefined>>): Promise<Context> {
  const settings = readConfig(config, env)
  const log = createLogger('auth', settings.LOG_LEVEL)
  return await createContext(settings, { log, metrics: createMetrics('auth', { process: false }), now: Date.now })
}
