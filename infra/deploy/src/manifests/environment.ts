import { processOf, type SignerName } from '@wp/contracts'
import { databaseNames } from '@wp/database'
import { port } from './manifest.ts'

/** How long a process goes on after SIGTERM until it stops listening, and until it cuts what is under way. Seconds. */
export const draining = { preStop: 5, drain: 5, grace: 25, margin: 10 }

interface Variable {
  name: string
  value?: string
  valueFrom?: Record<string, unknown>
}

const text = (name: string, value: string): Variable => ({ name, value })

/** Of the ConfigMap that all processes of a cell share. */
const shared = (name: string): Variable => ({ name, valueFrom: { configMapKeyRef: { name: 'platform', key: name } } })

const secret = (name: string, from: string, key: string, optional?: true): Variable => ({
  name,
  valueFrom: { secretKeyRef: { name: from, key, ...(optional === undefined ? {} : { optional }) } },
})

/** The environment of a process. What the image's own defaults already say is not repeated. */
export function environmentOf(name: SignerName): Variable[] {
  const { global, database, seals, broker, memory } = processOf(name)
  const own = `${name}-secrets`
  return [
    ...['ENVIRONMENT', 'PUBLIC_BASE_URL', 'SHARD', 'HOME_SHARD', 'LOCATION', 'LOG_LEVEL', 'UPSTREAM'].map(shared),
    ...(global ? [shared('CELLS')] : []),
    text('HOST', '0.0.0.0'),
    text('PORT', String(port.http)),
    ...(name === 'gateway' ? [text('ADMIN_PORT', String(port.admin))] : []),
    text('DRAIN_SECONDS', String(draining.drain)),
    text('SHUTDOWN_GRACE_SECONDS', String(draining.grace)),
    text('ASSERTION_KEY_FILE', '/keys/assertion-key.json'),
    text('ASSERTION_KEYS_FILE', '/assertion-keys/assertion-keys.json'),
    ...(broker ? [shared('NATS_URL'), text('NATS_USER', name), secret('NATS_PASSWORD', 'nats-users', name)] : []),
    ...(broker && database ? [shared('STREAM_REPLICAS'), shared('STREAM_MAX_BYTES')] : []),
    ...(database ? databaseOf(name) : []),
    ...(seals ? [secret('KEK', own, 'KEK'), secret('KEK_PREVIOUS', own, 'KEK_PREVIOUS', true)] : []),
    // What else a process needs, buffers above all, lies beside the heap.
    text('NODE_OPTIONS', `--max-old-space-size=${Math.round(memory.most * 0.6)}`),
  ]
}

/** The roles that may change rows, and no table. */
function databaseOf(name: SignerName): Variable[] {
  const { app, worker } = databaseNames(name)
  return [
    ...server,
    secret('DATABASE_PASSWORD_APP', `${name}-secrets`, 'DATABASE_PASSWORD_APP'),
    secret('DATABASE_PASSWORD_WORKER', `${name}-secrets`, 'DATABASE_PASSWORD_WORKER'),
    text('DATABASE_URL', address(name, app, 'DATABASE_PASSWORD_APP')),
    text('DATABASE_WORKER_URL', address(name, worker, 'DATABASE_PASSWORD_WORKER')),
  ]
}

/** What the migrator is told: the role that owns the tables, which the service itself never learns. */
export const migratorEnvironment = (name: SignerName): Variable[] => [
  ...server,
  secret('DATABASE_PASSWORD_OWNER', `${name}-secrets`, 'DATABASE_PASSWORD_OWNER'),
  text('OWNER_DATABASE_URL', address(name, databaseNames(name).owner, 'DATABASE_PASSWORD_OWNER')),
]

/** What makes roles and databases is told: an administrator of the server, and the passwords that the roles get. */
export const provisionerEnvironment = (names: readonly SignerName[]): Variable[] => [
  ...server,
  secret('ADMIN_USER', 'postgres-superuser', 'username'),
  secret('ADMIN_PASSWORD', 'postgres-superuser', 'password'),
  text(
    'ADMIN_DATABASE_URL',
    'postgresql://$(ADMIN_USER):$(ADMIN_PASSWORD)@$(DATABASE_HOST)/postgres?$(DATABASE_OPTIONS)',
  ),
  ...names.flatMap((name) =>
    ['APP', 'WORKER', 'OWNER'].map((role) =>
      secret(
        `DATABASE_PASSWORD_${name.toUpperCase().replaceAll('-', '_')}_${role}`,
        `${name}-secrets`,
        `DATABASE_PASSWORD_${role}`,
      ),
    ),
  ),
]

const server = ['DATABASE_HOST', 'DATABASE_OPTIONS'].map(shared)

/** Kubernetes fills in what stands in `$( )`; passwords are made of letters and digits. */
const address = (service: string, role: string, password: string) =>
  `postgresql://${role}:$(${password})@$(DATABASE_HOST)/${databaseNames(service).database}?$(DATABASE_OPTIONS)`
