import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readProcessInfo } from '@wp/testkit'
import { UsageError } from '../usage-error.ts'
import { writePrivateFile } from './data-dir.ts'

/** The process that runs the fleet of a data folder. */
export interface LockHolder {
  pid: number
  baseUrl: string
  /** The start has finished. */
  ready: boolean
}

export interface Lock {
  /** Records that the start has finished. */
  markReady(): void
  release(): void
}

/**
 * Locks a data folder for this process until it ends. The lock file of a process that no longer runs is replaced.
 * @throws UsageError naming the process that holds the lock
 */
export function acquireLock(file: string, baseUrl: string): Lock {
  mkdirSync(dirname(file), { recursive: true })
  const ownEntry = { pid: process.pid, baseUrl }
  for (let attempt = 0; !tryAcquire(file, { ...ownEntry, ready: false }); attempt += 1) {
    const holder = findLockHolder(file)
    if (holder !== undefined || attempt === 3) throw new UsageError(alreadyRunningMessage(dirname(file), holder))
    rmSync(file, { force: true })
  }
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  return {
    markReady: () => writePrivateFile(file, JSON.stringify({ ...ownEntry, ready: true })),
    release() {
      process.removeListener('exit', release)
      release()
    },
  }
}

/** The command of a program of the local fleet: its source, or its bundle, whose name has dots in place of slashes. */
const localProgram = /infra([./])local\1src\1/

/**
 * Returns the running process that holds the lock, if any. Process ids are reused, so the process must also be a local
 * fleet.
 */
export function findLockHolder(file: string): LockHolder | undefined {
  try {
    const holder: LockHolder = JSON.parse(readFileSync(file, 'utf8'))
    return localProgram.test(readProcessInfo(holder.pid)?.command ?? '') ? holder : undefined
  } catch {
    return undefined
  }
}

/** Creates the lock file with a hard link, which is atomic: no reader sees a partly written file. */
function tryAcquire(file: string, holder: LockHolder): boolean {
  const mine = `${file}.${holder.pid}`
  writeFileSync(mine, JSON.stringify(holder))
  try {
    linkSync(mine, file)
    return true
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(mine, { force: true })
  }
}

function alreadyRunningMessage(folder: string, holder: LockHolder | undefined): string {
  const who = holder === undefined ? 'another process' : `process ${holder.pid}, ${holder.baseUrl}`
  return `a fleet already runs on ${folder} (${who}): stop it, or give this one a --data-dir and ports of its own`
}
