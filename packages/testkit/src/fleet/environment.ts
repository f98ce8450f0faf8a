import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SignerName } from '@wp/contracts'
import { ensureKeyFiles, keyFilePaths } from '@wp/service'

/** The settings that the processes of a fleet share. */
export interface FleetSettings {
  baseUrl: string
  shard: string
  location: string
  natsUrl: string
  keysDirectory: string
  /** Base64 of 32 bytes. */
  kek: string
  logLevel: string
  /** The address of each service, by name, or by `name.shard` in another cell. */
  upstreams: Readonly<Record<string, string>>
  outbound: Readonly<Record<string, string>>
}

/** The URLs of a service's database. */
export interface DatabaseAddresses {
  url: string
  workerUrl: string
}

/** Returns the environment of a process. */
export function buildProcessEnvironment(
  signer: SignerName,
  settings: FleetSettings,
  port: number,
  database?: DatabaseAddresses,
): Record<string, string> {
  const keys = keyFilePaths(settings.keysDirectory)
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_BASE_URL: settings.baseUrl,
    ENVIRONMENT: 'development',
    SHARD: settings.shard,
    LOCATION: settings.location,
    LOG_LEVEL: settings.logLevel,
    ASSERTION_KEY_FILE: keys.keyFile(signer),
    ASSERTION_KEYS_FILE: keys.keysFile,
    AUDIT_SIGNING_KEY_FILE: keys.auditSigningKeyFile,
    UPSTREAM_OVERRIDES: Object.entries(settings.upstreams)
      .map(([name, address]) => `${name}=${address}`)
      .join(','),
    NATS_URL: settings.natsUrl,
    KEK: settings.kek,
    SHUTDOWN_GRACE_SECONDS: '10',
    ...settings.outbound,
    ...(database === undefined ? {} : { DATABASE_URL: database.url, DATABASE_WORKER_URL: database.workerUrl }),
  }
}

/** Returns true if the service has a database schema of its own. */
export const hasDatabase = (service: string): boolean =>
  existsSync(join(import.meta.dirname, '../../../../services', service, 'prisma'))

/** Creates a temporary directory with a key for every signer. */
export async function createTemporaryKeys(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'wp-keys-'))
  await ensureKeyFiles(directory)
  return directory
}
