import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { downloadDebianProgram, isDebianSuite } from './debian-package.ts'
import { downloadNatsRelease, natsRelease } from './nats-release.ts'

/** Returns the reason why a certain nats-server must be used; undefined if any server is suitable. */
export function findRequestedNats(): string | undefined {
  if (process.env.NATS_SERVER_BIN) return 'NATS_SERVER_BIN names one'
  return process.env.NATS_SERVER_SUITE ? 'NATS_SERVER_SUITE names one' : undefined
}

/**
 * Returns the path of a `nats-server`: NATS_SERVER_BIN, or that of the Debian release in NATS_SERVER_SUITE, or the first in
 * PATH, the cache (`workspace-platform/` in `$XDG_CACHE_HOME` or `~/.cache`), the public release of NATS, and the Debian
 * package. Downloads are stored in the cache.
 *
 * @throws Error with the reason of each failure
 */
export async function findNatsServer({ log = () => {} }: { log?: (line: string) => void } = {}): Promise<string> {
  const named = process.env.NATS_SERVER_BIN
  if (named) {
    if (isExecutable(named)) return named
    throw new Error(`NATS_SERVER_BIN names ${named}, which is not an executable file`)
  }
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'workspace-platform')
  const suite = process.env.NATS_SERVER_SUITE
  if (suite && !isDebianSuite(suite)) throw new Error(`NATS_SERVER_SUITE names ${suite}, which is not a Debian release`)
  const onPath = suite ? [] : (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const sources = suite ? [debianSource(suite)] : defaultSources
  const known = [...onPath, ...sources.map(({ folder }) => join(cache, folder))]
  const found = known.map((folder) => join(folder, 'nats-server')).find(isExecutable)
  if (found) return found

  const failures: string[] = []
  for (const { name, folder, fetch } of sources) {
    mkdirSync(cache, { recursive: true })
    const work = mkdtempSync(join(cache, 'fetching-'))
    try {
      const binary = await fetch(work)
      const place = join(cache, folder)
      mkdirSync(place, { recursive: true })
      renameSync(binary, join(place, 'nats-server'))
      log(`NATS: downloaded from the ${name} to ${place}`)
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

const defaultSources = [
  { name: 'public release', folder: `nats-server-${natsRelease}`, fetch: downloadNatsRelease },
  {
    name: 'Debian package',
    folder: 'nats-server-debian',
    fetch: (work: string) => downloadDebianProgram(work, 'nats-server'),
  },
]
const debianSource = (suite: string) => ({
  name: `package of Debian ${suite}`,
  folder: `nats-server-debian-${suite}`,
  fetch: (work: string) => downloadDebianProgram(work, 'nats-server', suite),
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
