import { join } from 'node:path'
import type { ServiceName } from '@wp/contracts'
import { databaseUrls, migrate, type Passwords, provision } from '@wp/database'
import { hasDatabase } from '@wp/testkit'

const root = join(import.meta.dirname, '../../..')

export interface PreparedDatabase {
  service: ServiceName
  url: string
  workerUrl: string
  /** Names of the migrations that were applied. */
  applied: string[]
}

/**
 * Creates and migrates the database of every service that has one, concurrently.
 * @param adminUrl the superuser's URL of the server
 */
export async function prepareDatabases(
  adminUrl: string,
  passwords: ReadonlyMap<ServiceName, Required<Omit<Passwords, 'operators'>>>,
): Promise<PreparedDatabase[]> {
  const kept = [...passwords].filter(([service]) => hasDatabase(service))
  const prepared = await Promise.allSettled(
    kept.map(async ([service, own]) => {
      await provision({ adminUrl, service, passwords: own })
      const { owner, app, worker } = databaseUrls(adminUrl, service, own)
      const applied = await migrate({ ownerUrl: owner, dir: join(root, 'services', service, 'prisma/migrations') })
      return { service, url: app, workerUrl: worker, applied }
    }),
  )
  // Waits for all before an error is thrown, because the caller then stops the server.
  return prepared.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}
