import { chownSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processInfo } from './process-info.ts'
import { readPids } from './server-process.ts'

const memory = '/dev/shm'
const prefix = 'wp-testkit-'
const enoughBytes = 1024 ** 3
let sweptAtExit = false

/**
 * A folder for one server's throw-away data, in memory where there is room (containers often have 64 MB there). Its
 * name holds our process id, which is how `sweepScratch` knows it is stale.
 */
export function scratchFolder(name: string, owner?: { uid: number; gid: number }): string {
  const folder = mkdtempSync(join(roomInMemory() ? memory : tmpdir(), `${prefix}${process.pid}-${name}-`))
  if (owner) chownSync(folder, owner.uid, owner.gid)
  if (!sweptAtExit) process.once('exit', () => sweepScratch({ ours: true }))
  sweptAtExit = true
  return folder
}

export function removeScratch(folder: string): void {
  // A server that was just killed may leave children behind that write for another moment.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}

/** Removes what processes that are gone left behind, their servers included; with `ours`, this process's too. */
export function sweepScratch({ ours = false } = {}): void {
  for (const base of new Set([memory, tmpdir()])) {
    for (const name of list(base)) {
      const owner = Number(/^wp-testkit-(\d+)-/.exec(name)?.[1] ?? Number.NaN)
      if (Number.isNaN(owner) || (owner === process.pid ? !ours : processInfo(owner))) continue
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
  if (server !== undefined && processInfo(server)?.command.includes(home)) process.kill(server, 'SIGQUIT')
}

function roomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= enoughBytes
  } catch {
    return false
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
