import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { downloadDebianProgram } from './debian-package.ts'

/** Renders a kustomization: the folder comes after these arguments. */
export interface Kustomize {
  file: string
  args: readonly string[]
}

/** Components, as they are used here, are understood from this version on. */
const minimumMajorVersion = 5

/** The release of Debian that has one that is new enough. */
const suite = 'trixie'

let found: Promise<Kustomize> | undefined

/**
 * What renders kustomizations: `kubectl` or `kustomize` of PATH, where its kustomize is of version 5 or later; else the one of
 * Debian's package, unpacked into our cache without root.
 * @throws Error of one line when there is none
 */
export function findKustomize(): Promise<Kustomize> {
  found ??= find()
  return found
}

async function find(): Promise<Kustomize> {
  if (await isSupportedVersion('kubectl', 'version', '--client')) return { file: 'kubectl', args: ['kustomize'] }
  if (await isSupportedVersion('kustomize', 'version')) return { file: 'kustomize', args: ['build'] }
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'workspace-platform')
  const cachedBinary = join(cache, `kustomize-debian-${suite}`, 'kustomize')
  if (!existsSync(cachedBinary)) {
    mkdirSync(cache, { recursive: true })
    const workFolder = mkdtempSync(join(cache, 'fetching-'))
    try {
      const binary = await downloadDebianProgram(workFolder, 'kustomize', suite)
      mkdirSync(join(cachedBinary, '..'), { recursive: true })
      renameSync(binary, cachedBinary)
    } catch (error) {
      const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)
      throw new Error(`no kustomize ${minimumMajorVersion} in PATH, nor from Debian (${reason}): install kubectl`, {
        cause: error,
      })
    } finally {
      rmSync(workFolder, { recursive: true, force: true })
    }
  }
  return { file: cachedBinary, args: ['build'] }
}

/** kubectl says which kustomize it has beside its own version. What says no version is not known to be new. */
async function isSupportedVersion(file: 'kubectl' | 'kustomize', ...args: string[]): Promise<boolean> {
  const said = await promisify(execFile)(file, args).catch(() => undefined)
  const line = file === 'kubectl' ? /^Kustomize Version: v(\d+)\./m : /^v(\d+)\./m
  return Number(line.exec(said?.stdout ?? '')?.[1] ?? 0) >= minimumMajorVersion
}
