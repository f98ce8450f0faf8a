import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const installTimeoutMs = 600_000

/** Returns the Python of a virtual environment. */
export const pythonOf = (folder: string): string => join(folder, 'bin/python')

interface EnvironmentOptions {
  signal: AbortSignal | undefined
  /** The oldest version that works: 3.`minMinor`. */
  minMinor: number
}

/**
 * Creates a virtual environment with packages from PyPI. Its folder appears when it is complete.
 * @param installs arguments of `pip install`, one after the other
 * @returns its Python
 * @throws Error saying what is missing: Python with venv, or PyPI
 */
export async function createPythonEnvironment(
  folder: string,
  { signal, minMinor }: EnvironmentOptions,
  installs: readonly string[][],
): Promise<string> {
  const unfinished = `${folder}.${process.pid}`
  const run = (command: string, args: string[]) =>
    promisify(execFile)(command, args, {
      timeout: installTimeoutMs,
      ...(signal === undefined ? {} : { signal }),
    })
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:']
  mkdirSync(join(folder, '..'), { recursive: true })
  try {
    const check = `import ensurepip, sys, venv; sys.exit(sys.version_info < (3, ${minMinor}))`
    await run('python3', ['-c', check]).catch((cause) => {
      throw new Error(`Python 3.${minMinor} or newer with its module venv is required (Debian: python3-venv)`, {
        cause,
      })
    })
    await run('python3', ['-m', 'venv', unfinished])
    for (const args of installs) await run(pythonOf(unfinished), [...pip, ...args])
    // An environment knows its own path only in its scripts, which are not used.
    if (!existsSync(folder)) renameSync(unfinished, folder)
    return pythonOf(folder)
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof Error && 'stderr' in error
      ? new Error(`pip cannot install from PyPI: ${lastLine(String(error.stderr))}`, { cause: error })
      : error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

const lastLine = (text: string): string =>
  text
    .trim()
    .split('\n')
    .findLast((line) => !/^(note|hint):/.test(line))
    ?.slice(0, 300) ?? ''
