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
 * A folder for one server's throw-away data, in memory where there is room (containers often have 64 MB there). Its
 * name holds our process id, which is how `sweepScratch` knows it is stale.
 */
export function createScratchFolder(name: string, owner?: { uid: number; gid: number }): string {
  const folder = mkdtempSync(join(hasMemoryFolderSpace() ? memoryFolder : tmpdir(), `${prefix}${process.pid}-${name}-`))
  if (owner) chownSync(folder, owner.uid, owner.gid)
  if (!sweptAtExit) process.once('exit', () => sweepScratch({ includeOwn: true }))
  sweptAtExit = true
  return folder
}

export function removeScratch(folder: string): void {
  // A server that was just killed may leave children behind that write for another moment.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}

/** Removes what processes that are gone left behind, their servers included; with `ours`, this process's too. */
export function sweepScratch({ includeOwn = false }: { includeOwn?: boolean } = {}): void {
  for (const base of new Set([memoryFolder, tmpdir()])) {
    for (const name of listFolder(base)) {
      const owner = Number(/^wp-testkit-(\d+)-/.exec(name)?.[1] ?? Number.NaN)
      if (Number.isNaN(owner) || (owner === process.pid ? !includeOwn : readProcessInfo(owner))) continue
      try {
        killServerOf(join(base, name))
        removeScratch(join(base, name))
      } catch {
        // Another user's, or another run sweeps it at this moment: theirs to remove.
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
