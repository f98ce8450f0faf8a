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
  const folder = join(programCache(), `opensearch-${readVersion()}`)
  return existsSync(folder) ? folder : undefined
}

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
    rmSync(join(work, plugin))
    renameSync(work, join(cache, `opensearch-${readVersion()}`))
    return join(cache, `opensearch-${readVersion()}`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
