import { isGlobal, type SignerName } from '@wp/contracts'
import { databaseNames, operatorPurposes, operatorRole } from '@wp/database'
import { declarationOf, heapLimitOf } from '../processes.ts'
import { ports } from './manifest.ts'

/** The phases of a shutdown, in seconds: sleep before SIGTERM, drain, total grace period, and margin before SIGKILL. */
export const shutdownTiming = { preStop: 5, drain: 5, grace: 25, margin: 10 }

interface Variable {
  name: string
  value?: string
  valueFrom?: Record<string, unknown>
}

const literal = (name: string, value: string): Variable => ({ name, value })

/** A value of the ConfigMap that all processes of a cell share. */
const platformSetting = (name: string): Variable => ({
  name,
  valueFrom: { configMapKeyRef: { name: 'platform', key: name } },
})

const secretReference = (name: string, from: string, key: string, optional?: true): Variable => ({
  name,
  valueFrom: { secretKeyRef: { name: from, key, ...(optional === undefined ? {} : { optional }) } },
})

/** The environment of a process, without variables that the image sets. */
export function containerEnvironment(name: SignerName): Variable[] {
  const { hasDatabase, sealsSecrets, usesBroker, callsGateway } = declarationOf(name)
  const own = `${name}-secrets`
  return [
    ...['ENVIRONMENT', 'PUBLIC_BASE_URL', 'SHARD', 'HOME_SHARD', 'LOCATION', 'LOG_LEVEL', 'UPSTREAM'].map(
      platformSetting,
    ),
    platformSetting('OTEL_EXPORTER_OTLP_ENDPOINT'),
    ...(isGlobal(name) ? [platformSetting('CELLS')] : []),
    literal('HOST', '0.0.0.0'),
    literal('PORT', String(ports.http)),
    ...(name === 'gateway' ? [literal('ADMIN_PORT', String(ports.admin))] : []),
    ...(callsGateway === true ? [literal('EDGE_URL', 'http://gateway')] : []),
    literal('DRAIN_SECONDS', String(shutdownTiming.drain)),
    literal('SHUTDOWN_GRACE_SECONDS', String(shutdownTiming.grace)),
    literal('ASSERTION_KEY_FILE', '/keys/assertion-key.json'),
    literal('ASSERTION_KEYS_FILE', '/assertion-keys/assertion-keys.json'),
    ...(name === 'audit' ? [auditSigningKey] : []),
    ...(usesBroker
      ? [platformSetting('NATS_URL'), literal('NATS_USER', name), secretReference('NATS_PASSWORD', 'nats-users', name)]
      : []),
    ...(usesBroker && hasDatabase ? [platformSetting('STREAM_REPLICAS'), platformSetting('STREAM_MAX_BYTES')] : []),
    ...(hasDatabase ? databaseEnvironment(name) : []),
    ...(sealsSecrets
      ? [secretReference('KEK', own, 'KEK'), secretReference('KEK_PREVIOUS', own, 'KEK_PREVIOUS', true)]
      : []),
    literal('NODE_OPTIONS', `--max-old-space-size=${heapLimitOf(name)}`),
  ]
}

/** The signing key of the audit log, in the Secret `audit-key`. */
export const auditSigningKey = literal('AUDIT_SIGNING_KEY_FILE', '/keys/audit-signing-keys.json')

/** The URLs of the application and the worker role, which may change rows but not tables. */
function databaseEnvironment(name: SignerName): Variable[] {
  const { app, worker } = databaseNames(name)
  return [
    ...serverSettings,
    secretReference('DATABASE_PASSWORD_APP', `${name}-secrets`, 'DATABASE_PASSWORD_APP'),
    secretReference('DATABASE_PASSWORD_WORKER', `${name}-secrets`, 'DATABASE_PASSWORD_WORKER'),
    literal('DATABASE_URL', databaseUrl(name, app, 'DATABASE_PASSWORD_APP')),
    literal('DATABASE_WORKER_URL', databaseUrl(name, worker, 'DATABASE_PASSWORD_WORKER')),
  ]
}

/** The environment of the migrator: the role that owns the tables, which the service does not have. */
export const migratorEnvironment = (name: SignerName): Variable[] => [
  ...serverSettings,
  secretReference('DATABASE_PASSWORD_OWNER', `${name}-secrets`, 'DATABASE_PASSWORD_OWNER'),
  literal('OWNER_DATABASE_URL', databaseUrl(name, databaseNames(name).owner, 'DATABASE_PASSWORD_OWNER')),
]

/** The environment of the init container that prepares the broker: the user that may create streams and consumers. */
export const brokerMigratorEnvironment: Variable[] = [
  platformSetting('NATS_URL'),
  literal('NATS_USER', 'migrator'),
  secretReference('NATS_PASSWORD', 'nats-users', 'migrator'),
  ...['SHARD', 'STREAM_REPLICAS', 'STREAM_MAX_BYTES'].map(platformSetting),
]

/** The environment of the provisioning job: an administrator of the server, and the passwords of all roles. */
export const provisionerEnvironment = (names: readonly SignerName[]): Variable[] => [
  ...serverSettings,
  secretReference('ADMIN_USER', 'postgres-superuser', 'username'),
  secretReference('ADMIN_PASSWORD', 'postgres-superuser', 'password'),
  literal(
    'ADMIN_DATABASE_URL',
    'postgresql://$(ADMIN_USER):$(ADMIN_PASSWORD)@$(DATABASE_HOST)/postgres?$(DATABASE_OPTIONS)',
  ),
  ...names.flatMap((name) =>
    databaseRoles(name).map((role) =>
      secretReference(
        `DATABASE_PASSWORD_${name.toUpperCase().replaceAll('-', '_')}_${role}`,
        `${name}-secrets`,
        `DATABASE_PASSWORD_${role}`,
      ),
    ),
  ),
]

/** Returns the database roles of a service, as the names of their passwords end. */
export const databaseRoles = (name: SignerName): string[] => [
  ...['APP', 'WORKER', 'OWNER'],
  ...(operatorPurposes[name] ?? []).map((purpose) => purpose.toUpperCase()),
]

const serverSettings = ['DATABASE_HOST', 'DATABASE_OPTIONS'].map(platformSetting)

/** Kubernetes expands `$(NAME)`. Passwords contain letters and digits only, so they need no encoding. */
const databaseUrl = (service: string, role: string, password: string) =>
  `postgresql://${role}:$(${password})@$(DATABASE_HOST)/${databaseNames(service).database}?$(DATABASE_OPTIONS)`

/** The environment of the retention of the audit log: its own role, and the signing key of anchors. */
export const auditRetentionEnvironment: Variable[] = [
  ...serverSettings,
  secretReference('DATABASE_PASSWORD_RETENTION', 'audit-secrets', 'DATABASE_PASSWORD_RETENTION'),
  literal(
    'DATABASE_RETENTION_URL',
    databaseUrl('audit', operatorRole('audit', 'retention'), 'DATABASE_PASSWORD_RETENTION'),
  ),
  auditSigningKey,
]
