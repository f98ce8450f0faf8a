import { chownSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readProcessInfo } from './process-info.ts'
import { readPids } from './server-process.ts'

const memoryFolder = '/dev/shm'
const prefix = 'wp-testkit-'
const minimumFreeBytes = 1024 ** 3
let sweptAtExit = false

/**
 * Creates a temporary folder for a server, in memory if there is enough space (containers often have 64 MB). Its name
 * contains the process id, by which `sweepScratch` recognizes folders of processes that no longer run.
 */
export function createScratchFolder(name: string, owner?: { uid: number; gid: number }): string {
  const folder = mkdtempSync(join(hasMemoryFolderSpace() ? memoryFolder : tmpdir(), `${prefix}${process.pid}-${name}-`))
  if (owner) chownSync(folder, owner.uid, owner.gid)
  if (!sweptAtExit) process.once('exit', () => sweepScratch({ includeOwn: true }))
  sweptAtExit = true
  return folder
}

export function removeScratch(folder: string): void {
  // Children of a killed server may still write for a moment.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}

/** Removes the folders and servers of processes that no longer run; with `includeOwn`, also those of this process. */
export function sweepScratch({ includeOwn = false }: { includeOwn?: boolean } = {}): void {
  for (const base of new Set([memoryFolder, tmpdir()])) {
    for (const name of listFolder(base)) {
      const owner = Number(/^wp-testkit-(\d+)-/.exec(name)?.[1] ?? Number.NaN)
      if (Number.isNaN(owner) || (owner === process.pid ? !includeOwn : readProcessInfo(owner))) continue
      try {
        killServerOf(join(base, name))
        removeScratch(join(base, name))
      } catch {
        // It belongs to another user, or another run is removing it.
      }
    }
  }
}

function killServerOf(home: string): void {
  const [server] = readPids(home)
  if (server !== undefined && readProcessInfo(server)?.command.includes(home)) process.kill(server, 'SIGQUIT')
}

function hasMemoryFolderSpace(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder)
    return bavail * bsize >= minimumFreeBytes
  } catch {
    return false
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
