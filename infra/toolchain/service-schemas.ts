import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@wp/contracts'

const services = join(import.meta.dirname, '../../services')

/** The path of a service's Prisma schema. */
export const schemaOf = (service: string): string => join(services, service, 'prisma/schema.prisma')

/** The folder of a service's migrations. */
export const migrationsOf = (service: string): string => join(services, service, 'prisma/migrations')

/** Returns the services that have a database, in the order in which the contracts list them. */
export const servicesWithSchema = (): string[] => serviceNames.filter((service) => existsSync(schemaOf(service)))
