// The databases of services for commands of operators: schemas, migrations, addresses and connections.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@wp/contracts'
import { connectDatabase, type Query, workerQuery } from '@wp/database'

const services = join(import.meta.dirname, '../../services')

/** The path of a service's Prisma schema. */
export const schemaOf = (service: string): string => join(services, service, 'prisma/schema.prisma')

/** The folder of a service's migrations. */
export const migrationsOf = (service: string): string => join(services, service, 'prisma/migrations')

/** Returns the services that have a database, in the order in which the contracts list them. */
export const servicesWithSchema = (): string[] => serviceNames.filter((service) => existsSync(schemaOf(service)))

/** Converts a service name to the part of an environment variable, such as `WEBHOOK_DELIVERY`. */
export const toVariableName = (service: string): string => service.toUpperCase().replaceAll('-', '_')

/** Returns the administrator's URL of the server with a service's database, from the environment if set. */
export const findAdminUrl = (service: string): string | undefined =>
  process.env[`ADMIN_DATABASE_URL_${toVariableName(service)}`] ?? process.env.ADMIN_DATABASE_URL

/**
 * Returns the URL of a service's database with its worker role, from the environment.
 * @throws Error if none is set
 */
export function workerUrlOf(service: string): string {
  const named = `DATABASE_WORKER_URL_${toVariableName(service)}`
  const url = process.env[named] ?? process.env.DATABASE_WORKER_URL
  if (!url) throw new Error(`neither ${named} nor DATABASE_WORKER_URL is set`)
  return url
}

/** Runs work on one connection, which sees all workspaces, and closes it. */
export async function withWorker(workerUrl: string, work: (query: Query) => Promise<void>): Promise<void> {
  const database = connectDatabase({ url: workerUrl, workerUrl, prisma: () => ({}), shard: '', workerPoolSize: 1 })
  try {
    await work(workerQuery(database.worker))
  } finally {
    await database.close()
  }
}
