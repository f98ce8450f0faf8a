import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { resolveDataDir } from '../src/data-dir/data-dir.ts'
import { requireFreeSpace } from '../src/data-dir/free-space.ts'
import { startLocalFleet } from '../src/fleet.ts'
import { localOptions } from '../src/options.ts'
import { UsageError } from '../src/usage-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'wp-full-disk-'))
const disk = join(folder, 'disk')
mkdirSync(disk)
const isMounted = mountDisk()
afterAll(() => {
  if (isMounted) execFileSync('umount', ['--lazy', disk])
  rmSync(folder, { recursive: true, force: true })
})

/** Mounts a disk of 200 MiB in memory. Returns false without the right to mount. */
function mountDisk(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200M', 'tmpfs', disk], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

const describeOnDisk = isMounted ? describe : describe.skip

describeOnDisk(`npm start on a full disk${isMounted ? '' : ' (skipped: no right to mount one)'}`, () => {
  it('names the folder and the missing space, and writes nothing', async () => {
    const dataDir = join(disk, 'platform/data')
    const options = localOptions({ 'data-dir': dataDir }, {}, folder)
    const started = startLocalFleet(options, { print: () => {}, signal: new AbortController().signal })
    await expect(started).rejects.toThrow(UsageError)
    await expect(started).rejects.toThrow(`the disk of the data folder ${dataDir} is full: 312 MiB are missing`)
    expect(readdirSync(disk)).toEqual([])
  })

  it('needs less space when the databases exist', () => {
    const existing = resolveDataDir(join(disk, 'existing'))
    mkdirSync(join(existing.postgres, 'data'), { recursive: true })
    requireFreeSpace(existing)
    writeFileSync(join(disk, 'filler'), Buffer.alloc(100 * 1024 ** 2))
    expect(() => requireFreeSpace(existing)).toThrow(/existing is full: (28|29) MiB are missing \(128 MiB needed\)/)
  })
})
