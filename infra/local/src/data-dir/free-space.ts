import { existsSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '../usage-error.ts'
import type { DataDir } from './data-dir.ts'

const mib = 1024 ** 2
/** A new fleet takes 200 MiB: databases, write-ahead log and stream. The rest is for the first work with it. */
const firstStartBytes = 512 * mib
/** Space for new segments of the write-ahead log. PostgreSQL does not start without it. */
const laterStartBytes = 128 * mib

/**
 * Checks the space on the disk of a data folder before anything is written: a server that cannot write its files ends
 * with an error in its log only.
 * @throws UsageError that names the folder and how much is missing
 */
export function requireFreeSpace({ root, postgres }: Pick<DataDir, 'root' | 'postgres'>): void {
  const needed = existsSync(join(postgres, 'data')) ? laterStartBytes : firstStartBytes
  const { bavail, bsize } = statfsSync(nearestFolder(root))
  const missing = needed - bavail * bsize
  if (missing <= 0) return
  const inMib = (bytes: number) => `${Math.ceil(bytes / mib)} MiB`
  throw new UsageError(
    `the disk of the data folder ${root} is full: ${inMib(missing)} are missing (${inMib(needed)} needed); free them, or name a folder on another disk with --data-dir or DATA_DIR`,
  )
}

/** Returns the folder, or the nearest one above it that exists. */
const nearestFolder = (path: string): string => (existsSync(path) ? path : nearestFolder(dirname(path)))
