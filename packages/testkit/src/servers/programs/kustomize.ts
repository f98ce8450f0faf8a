import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { downloadDebianProgram } from './debian-package.ts'

/** A command that renders a kustomization; the folder is its last argument. */
export interface Kustomize {
  file: string
  args: readonly string[]
}

/** The first version that supports components as they are used here. */
const minimumMajorVersion = 5

/** The Debian release with a sufficient version. */
const suite = 'trixie'

let found: Promise<Kustomize> | undefined

/**
 * Returns the command: `kubectl` or `kustomize` in PATH if its version is 5 or later, otherwise the program of the
 * Debian package, unpacked into the cache without root.
 * @throws Error if there is none
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

/** Returns true if the program is installed and new enough. kubectl prints the version of its kustomize. */
async function isSupportedVersion(file: 'kubectl' | 'kustomize', ...args: string[]): Promise<boolean> {
  const said = await promisify(execFile)(file, args).catch(() => undefined)
  const line = file === 'kubectl' ? /^Kustomize Version: v(\d+)\./m : /^v(\d+)\./m
  return Number(line.exec(said?.stdout ?? '')?.[1] ?? 0) >= minimumMajorVersion
}
