import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readComposeImage } from '../servers/compose-image.ts'
import { programCache } from '../servers/programs/program-cache.ts'

/** Returns the image that docker-compose.yml names. */
export const openSearchImage = () => readComposeImage('opensearch')

/** Returns the version of that image. It needs Java 17 or later. */
const readVersion = () => openSearchImage().split(':').at(-1) ?? ''

/** Returns the folder with the libraries of OpenSearch; undefined if `npm run opensearch` has not stored them. */
export function findOpenSearch(): string | undefined {
  const folder = libraries()
  return existsSync(join(folder, nodeArchive)) ? folder : undefined
}

const libraries = () => join(programCache(), `opensearch-${readVersion()}`)

/** A folder of classes cannot be in an archive of classes. */
const nodeArchive = 'search-node.jar'

/**
 * Stores the libraries of OpenSearch with k-NN in the cache, 70 MB, from a Maven repository. Needs Maven and a JDK.
 * @returns the folder
 * @throws Error if a program is missing or the repository cannot be reached
 */
export async function fetchOpenSearch(): Promise<string> {
  const found = findOpenSearch()
  if (found !== undefined) return found
  const cache = programCache()
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'fetching-'))
  const run = (file: string, ...args: string[]) => promisify(execFile)(file, args, { cwd: work, timeout: 600_000 })
  try {
    const properties = [`-Dopensearch.version=${readVersion()}`, '-DincludeScope=runtime', `-DoutputDirectory=${work}`]
    await run(
      'mvn',
      '-q',
      '-B',
      '-f',
      join(import.meta.dirname, 'pom.xml'),
      'dependency:copy-dependencies',
      ...properties,
    )
    const plugin = readdirSync(work).find((name) => name.endsWith('.zip'))
    if (plugin === undefined) throw new Error('Maven copied no plugin')
    await run('jar', '--extract', '--file', plugin)
    await run('javac', '-cp', join(work, '*'), '-d', work, join(import.meta.dirname, 'SearchNode.java'))
    await run('jar', '--create', '--file', nodeArchive, 'SearchNode.class')
    for (const name of [plugin, 'SearchNode.class']) rmSync(join(work, name))
    rmSync(libraries(), { recursive: true, force: true })
    renameSync(work, libraries())
    return libraries()
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
