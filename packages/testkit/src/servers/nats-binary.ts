import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { buildNatsRelease, downloadNatsRelease, readNatsRelease } from './nats-release.ts'
import { downloadDebianProgram, isDebianSuite } from './programs/debian-package.ts'
import { programCache } from './programs/program-cache.ts'

/** Returns the reason why a certain nats-server must be used; undefined if any server is suitable. */
export function findRequestedNats(): string | undefined {
  if (process.env.NATS_SERVER_BIN) return 'NATS_SERVER_BIN names one'
  return process.env.NATS_SERVER_SUITE ? 'NATS_SERVER_SUITE names one' : undefined
}

/**
 * Returns the path of a `nats-server`: NATS_SERVER_BIN, or that of the Debian release in NATS_SERVER_SUITE, or the
 * first of: the public release in the cache, a program in PATH, the Debian package in the cache, a download of the
 * release, and one of the Debian package. Downloads are stored in the cache: `workspace-platform/` in `$XDG_CACHE_HOME`
 * or `~/.cache`.
 *
 * @throws Error with the reason of each failure
 */
export async function findNatsServer({ log = () => {} }: { log?: (line: string) => void } = {}): Promise<string> {
  const named = process.env.NATS_SERVER_BIN
  if (named) {
    if (isExecutable(named)) return named
    throw new Error(`NATS_SERVER_BIN names ${named}, which is not an executable file`)
  }
  const suite = process.env.NATS_SERVER_SUITE
  if (suite && !isDebianSuite(suite)) throw new Error(`NATS_SERVER_SUITE names ${suite}, which is not a Debian release`)
  const onPath = suite ? [] : (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const sources = suite ? [debianSource(suite)] : [downloadedRelease(), debianPackage]
  const [newest = '', ...older] = sources.map(({ folder }) => join(programCache(), folder))
  const found = [newest, ...onPath, ...older].map((folder) => join(folder, 'nats-server')).find(isExecutable)
  return found ?? (await fetchFirst(sources, log))
}

/**
 * Returns the path of a `nats-server` of the version that production runs: from the cache, from GitHub, or built with
 * Go.
 *
 * @throws Error with the reason of each failure
 */
export async function fetchNatsRelease({ log = () => {} }: { log?: (line: string) => void } = {}): Promise<string> {
  const cached = join(programCache(), releaseFolder(), 'nats-server')
  return isExecutable(cached) ? cached : await fetchFirst([downloadedRelease(), builtRelease()], log)
}

interface Source {
  name: string
  /** The folder in the cache. */
  folder: string
  /** Creates the program in a temporary folder. Returns its path. */
  fetch(work: string): Promise<string>
}

async function fetchFirst(sources: readonly Source[], log: (line: string) => void): Promise<string> {
  const cache = programCache()
  const failures: string[] = []
  for (const { name, folder, fetch } of sources) {
    mkdirSync(cache, { recursive: true })
    const work = mkdtempSync(join(cache, 'fetching-'))
    try {
      const binary = await fetch(work)
      const place = join(cache, folder)
      mkdirSync(place, { recursive: true })
      renameSync(binary, join(place, 'nats-server'))
      log(`NATS: from the ${name}, stored in ${place}`)
      return join(place, 'nats-server')
    } catch (error) {
      failures.push(`${name} (${oneLine(error)})`)
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
  }
  const advice = 'install nats-server, or name it in NATS_SERVER_BIN'
  throw new Error(`no nats-server: not in NATS_SERVER_BIN, PATH or ${cache}; ${failures.join('; ')}; ${advice}`)
}

const releaseFolder = () => `nats-server-${readNatsRelease()}`
const downloadedRelease = (): Source => ({
  name: 'public release',
  folder: releaseFolder(),
  fetch: downloadNatsRelease,
})
const builtRelease = (): Source => ({ name: 'source, with Go', folder: releaseFolder(), fetch: buildNatsRelease })
const debianPackage: Source = {
  name: 'Debian package',
  folder: 'nats-server-debian',
  fetch: (work) => downloadDebianProgram(work, 'nats-server'),
}
const debianSource = (suite: string): Source => ({
  name: `package of Debian ${suite}`,
  folder: `nats-server-debian-${suite}`,
  fetch: (work) => downloadDebianProgram(work, 'nats-server', suite),
})

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function oneLine(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  const reason = cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message
  return reason.trim().split('\n').at(-1) ?? reason
}
