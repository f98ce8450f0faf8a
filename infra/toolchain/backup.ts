// `pnpm backup <folder>` writes consistent snapshots of all service databases to a folder. `pnpm restore <folder>` loads
// them into new, migrated databases. docs/deploy.md lists what else a backup must contain.
import { existsSync, readdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseNames, restoreDatabase, type Snapshot, takeSnapshot } from '@wp/database'
import { findAdminUrl, toVariableName } from './admin-url.ts'
import { servicesWithSchema } from './service-schemas.ts'

const usage = `usage:
  pnpm backup <folder> [service…]         write databases to a new folder
  pnpm restore <folder> [service…]        load databases after pnpm db:migrate; default all in the folder
environment:
  ADMIN_DATABASE_URL, ADMIN_DATABASE_URL_<SERVICE>
                                          as for pnpm db:migrate, but of a superuser`

/** A service that holds ids of another service's resources is copied before that service, so that every id resolves. */
const withDatabase: readonly string[] = servicesWithSchema().reverse()

async function run([command, folder, ...named]: string[]): Promise<number> {
  const unknown = named.find((service) => !withDatabase.includes(service))
  if (unknown !== undefined) throw new Error(`there is no service ${unknown} with a database`)
  if (command === 'backup' && folder) return await backup(folder, named.length > 0 ? named : withDatabase)
  if (command === 'restore' && folder) return await restore(folder, named.length > 0 ? named : readdirSync(folder))
  process.stderr.write(`${usage}\n`)
  return 1
}

/** Takes all snapshots before writing any. The folder gets its name when the backup is complete. */
async function backup(folder: string, chosen: readonly string[]): Promise<number> {
  if (existsSync(folder)) throw new Error(`${folder} exists already`)
  const unfinished = `${folder}.unfinished`
  const snapshots = new Map<string, Snapshot>()
  try {
    for (const service of chosen) snapshots.set(service, await takeSnapshot(databaseUrlOf(service)))
    for (const [service, snapshot] of snapshots)
      printLine(`${service}: ${await snapshot.dump(join(unfinished, service))} rows`)
  } finally {
    await Promise.all([...snapshots.values()].map((snapshot) => snapshot.close()))
  }
  await rename(unfinished, folder)
  return 0
}

async function restore(folder: string, chosen: readonly string[]): Promise<number> {
  for (const service of chosen)
    printLine(`${service}: ${await restoreDatabase(databaseUrlOf(service), join(folder, service))} rows`)
  return 0
}

function databaseUrlOf(service: string): string {
  const address = findAdminUrl(service)
  if (address === undefined)
    throw new Error(`neither ADMIN_DATABASE_URL_${toVariableName(service)} nor ADMIN_DATABASE_URL is set`)
  const url = new URL(address)
  url.pathname = `/${databaseNames(service).database}`
  return url.href
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
