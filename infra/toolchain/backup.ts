// `npm run backup -- <folder>` writes consistent snapshots of all service databases to a folder. `npm run restore --
// <folder>` loads them into new, migrated databases. docs/deploy.md lists what else a backup must contain.
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { databaseNames, restoreDatabase, type Snapshot, takeSnapshot } from '@wp/database'
import { printLine, runCommand } from '@wp/runtime'
import { findAdminUrl, servicesWithSchema, toVariableName } from './service-databases.ts'

const usage = `usage:
  npm run backup -- <folder> [service…]   write databases to a new folder
  npm run backup -- --into <folder> --keep <n> [service…]
                                          write them to a new folder in <folder>, named after the time, then
                                          delete the oldest backups in <folder> and keep <n>; one at a time
  npm run restore -- <folder> [service…]  load databases after npm run db:migrate; default all in the folder
environment:
  ADMIN_DATABASE_URL, ADMIN_DATABASE_URL_<SERVICE>
                                          as for npm run db:migrate, but of a superuser`

/** A service that holds ids of another service's resources is copied before that service, so that every id resolves. */
const withDatabase: readonly string[] = servicesWithSchema().reverse()

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { into: { type: 'string' }, keep: { type: 'string' } },
  })
  const [command, ...rest] = positionals
  const [folder, ...named] = values.into === undefined ? rest : [values.into, ...rest]
  const unknown = named.find((service) => !withDatabase.includes(service))
  if (unknown !== undefined) throw new Error(`there is no service ${unknown} with a database`)
  const chosen = named.length > 0 ? withDatabase.filter((service) => named.includes(service)) : withDatabase
  if (command === 'backup' && values.into) return await backupInto(values.into, readKeep(values.keep), chosen)
  if (command === 'backup' && folder && values.keep === undefined) return await backup(folder, chosen)
  if (command === 'restore' && folder) return await restore(folder, named.length > 0 ? named : readdirSync(folder))
  process.stderr.write(`${usage}\n`)
  return 1
}

function readKeep(text = ''): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--keep must be a whole number of at least 1, not "${text}"`)
  return Number(text)
}

/**
 * Writes a new backup to a folder of backups, then deletes the oldest. Deletes what an interrupted backup left behind
 * first, because it may fill the volume. Expects to be the only one that writes to the folder.
 */
async function backupInto(folder: string, keep: number, chosen: readonly string[]): Promise<number> {
  await mkdir(folder, { recursive: true })
  await removeAll(folder, findUnfinishedBackups(readdirSync(folder)))
  await backup(join(folder, backupName(new Date())), chosen)
  await removeAll(folder, findExpiredBackups(readdirSync(folder), keep))
  return 0
}

async function removeAll(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await rm(join(folder, name), { recursive: true })
    printLine(`deleted ${name}`)
  }
}

/** Takes all snapshots before writing any. The folder gets its name when the backup is complete. */
async function backup(folder: string, chosen: readonly string[]): Promise<number> {
  if (existsSync(folder)) throw new Error(`${folder} exists already`)
  const unfinished = `${folder}${unfinishedSuffix}`
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

/** The ending of a folder whose backup is not complete. */
const unfinishedSuffix = '.unfinished'

/** Returns the name of a backup that starts at this time, `2026-11-22T02-00-00Z`. The names sort by time. */
function backupName(startedAt: Date): string {
  return `${startedAt.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

/** Returns the complete backups beyond the `keep` newest. Ignores folders that `backupName` did not name. */
function findExpiredBackups(folders: readonly string[], keep: number): string[] {
  const complete = folders.filter((folder) => isBackupName(folder)).sort()
  return complete.slice(0, Math.max(0, complete.length - keep))
}

/** Returns the folders that an interrupted backup left behind. */
function findUnfinishedBackups(folders: readonly string[]): string[] {
  return folders.filter(
    (folder) => folder.endsWith(unfinishedSuffix) && isBackupName(folder.slice(0, -unfinishedSuffix.length)),
  )
}

const isBackupName = (folder: string) => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/.test(folder)

await runCommand(run)
