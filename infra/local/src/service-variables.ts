import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

/** Variables of .env.example that `npm start` sets itself, because it starts the servers and assigns the ports. */
const setByStart: ReadonlySet<string> = new Set([
  ...['HOST', 'ADMIN_PORT', 'REUSE_PORT', 'ENVIRONMENT', 'PUBLIC_BASE_URL'],
  ...['SHARD', 'LOCATION', 'HOME_SHARD', 'CELLS', 'OPEN_SHARDS', 'UPSTREAM', 'UPSTREAM_OVERRIDES'],
  ...['ASSERTION_KEY_FILE', 'ASSERTION_KEYS_FILE', 'AUDIT_SIGNING_KEY_FILE', 'DATABASE_URL', 'DATABASE_WORKER_URL'],
  ...['NATS_URL', 'NATS_USER', 'NATS_PASSWORD', 'STREAM_REPLICAS'],
])

/** Variables of .env.example that only docker-compose.yml reads. */
const composeOnly: ReadonlySet<string> = new Set([
  ...['SERVICE_MEMORY', 'DATABASE_PASSWORD', 'OUTSIDE_SUBNET', 'PROMETHEUS_PORT', 'GRAFANA_PORT', 'MAILPIT_PORT'],
  ...['SEED_WORKSPACE_ID', 'SEED_CLIENT_ID', 'SEED_CLIENT_SECRET', 'SEED_API_KEY'],
])

export interface ServiceVariables {
  /** Passed to every process; a process ignores variables that it does not know. */
  passed: Record<string, string>
  /** Names that are set but have no effect on `npm start`, sorted. */
  ignored: string[]
}

/**
 * Selects the variables of .env.example that the user has set. An empty value counts as not set. PORT is an option of
 * `npm start` and therefore in neither list.
 */
export function readServiceVariables(env: Env, example: string): ServiceVariables {
  const names = [...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name)
  const set = names.filter((name) => env[name] && name !== 'PORT')
  const isIgnored = (name: string) => setByStart.has(name) || composeOnly.has(name)
  return {
    passed: Object.fromEntries(set.filter((name) => !isIgnored(name)).map((name) => [name, env[name] ?? ''])),
    ignored: set.filter(isIgnored).sort(),
  }
}

/** Returns the text of .env.example, which lists every variable of every process. */
export const readExample = (root: string): string => readFileSync(join(root, '.env.example'), 'utf8')
