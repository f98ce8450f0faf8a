import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of limited size. */
export interface LimitedFolder {
  path: string
  /** Leaves no space in it. */
  fill(): void
  /** Frees what `fill` took. */
  free(): void
  remove(): void
}

/**
 * Mounts a small file system in memory, which needs the right to mount. It is unmounted when this process exits.
 * @throws Error if it cannot be mounted
 */
export function createLimitedFolder(bytes: number): LimitedFolder {
  const path = mkdtempSync(join(tmpdir(), 'wp-chaos-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path], { stdio: 'pipe' })
  const filler = join(path, 'filler')
  const remove = () => {
    process.removeListener('exit', remove)
    execFileSync('umount', ['--lazy', path], { stdio: 'pipe' })
    rmSync(path, { recursive: true, force: true })
  }
  process.once('exit', remove)
  return {
    path,
    fill() {
      const { bavail, bsize } = statfsSync(path)
      writeFileSync(filler, Buffer.alloc(bavail * bsize))
    },
    free: () => rmSync(filler, { force: true }),
    remove,
  }
}
