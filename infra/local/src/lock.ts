import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readProcessInfo } from '@wp/testkit'
import { writePrivateFile } from './data-dir.ts'
import { UsageError } from './usage-error.ts'

/** Who runs the fleet of a data folder. */
export interface LockHolder {
  pid: number
  baseUrl: string
  /** Whether all is up. */
  isReady: boolean
}

export interface Lock {
  /** Tells those who wait that all is up. */
  markReady(): void
  release(): void
}

/**
 * Takes a data folder for this process until it ends. The file of a holder that is gone is taken over.
 * @throws UsageError naming the process that has it
 */
export function acquireLock(file: string, baseUrl: string): Lock {
  mkdirSync(dirname(file), { recursive: true })
  const ownEntry = { pid: process.pid, baseUrl }
  for (let attempt = 0; !tryAcquire(file, { ...ownEntry, isReady: false }); attempt += 1) {
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

/** The living process that has the folder, if any. Process ids are used again: it must be a fleet, too. */
export function findLockHolder(file: string): LockHolder | undefined {
  try {
    const holder: LockHolder = JSON.parse(readFileSync(file, 'utf8'))
    return readProcessInfo(holder.pid)?.command.includes('infra/local/src/') ? holder : undefined
  } catch {
    return undefined
  }
}

/** A link is made at once with all its content, so that nobody ever reads half a lock. */
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
