import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { programCache } from './program-cache.ts'

const version = 'v3.20.0'

/** The checksum of the sources in Go's checksum database, sum.golang.org. */
const moduleChecksum = 'h1:2M+0qQwnbI1a2CxN7dbmfsWHg/MloeaFMnZCY56as50='

const cache = programCache()
const cachedBinary = join(cache, `helm-${version}`, 'helm')

/** Returns the path of `helm` in PATH or in the cache of `npm run helm`; undefined if there is none. */
export const findHelm = (): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'helm')), cachedBinary].find(existsSync)

/** Returns the path of `helm`, built with Go and stored in the cache if there is none. Takes minutes. */
export async function fetchHelm(): Promise<string> {
  const found = findHelm()
  if (found !== undefined) return found
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'fetching-'))
  try {
    const env = { ...process.env, GOBIN: work, CGO_ENABLED: '0' }
    await promisify(execFile)('go', ['install', '-ldflags=-s -w', `helm.sh/helm/v3/cmd/helm@${version}`], { env })
    const built = join(work, 'helm')
    const { stdout } = await promisify(execFile)('go', ['version', '-m', built])
    if (!stdout.includes(['mod', 'helm.sh/helm/v3', version, moduleChecksum].join('\t')))
      throw new Error(`${built} was not built from the sources of Helm ${version}`)
    mkdirSync(join(cachedBinary, '..'), { recursive: true })
    renameSync(built, cachedBinary)
    return cachedBinary
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
