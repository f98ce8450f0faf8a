import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readComposeImage } from './compose-image.ts'

/**
 * Returns the version that production, docker-compose, CI and the local fleet use where a program of it can be had:
 * that of the image in docker-compose.yml. The checksums below belong to it.
 */
export function readNatsRelease(): string {
  const image = readComposeImage('nats')
  const [, version] = /:(\d+\.\d+\.\d+)-/.exec(image) ?? []
  if (version === undefined) throw new Error(`docker-compose.yml names no exact version of the broker: ${image}`)
  return version
}

/**
 * SHA-256 of `nats-server-v<version>-<platform>.tar.gz`, from the official Docker image of the same version
 * (docker-library/repo-info, repos/nats/remote/2.12-alpine3.22.md), which exists for Linux only. On other systems,
 * install nats-server with the package manager.
 */
const checksums: Record<string, string> = {
  'linux-amd64': '58ab8131f819263897e2fc38e503e1b755b63bcafeecc7d12582487df48ca15e',
  'linux-arm64': 'b724db99fefbf8f5c808baa82819ee50350aee9734017e4a478f7e545cef3ab6',
}

/** Downloads the release and unpacks it in the folder. Returns the path of the program. */
export async function downloadNatsRelease(work: string): Promise<string> {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  const checksum = checksums[platform]
  if (checksum === undefined) throw new Error(`there is no checksum for ${platform}`)
  const name = `nats-server-v${readNatsRelease()}-${platform}`
  const url = `https://github.com/nats-io/nats-server/releases/download/v${readNatsRelease()}/${name}.tar.gz`
  const response = await fetch(url, { signal: AbortSignal.timeout(20_000) })
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`)
  const archive = Buffer.from(await response.arrayBuffer())
  const actual = createHash('sha256').update(archive).digest('hex')
  if (actual !== checksum) throw new Error(`${url} has SHA-256 ${actual}, expected ${checksum}`)
  const file = join(work, 'nats-server.tar.gz')
  await writeFile(file, archive)
  await promisify(execFile)('tar', ['-xzf', file, '-C', work])
  return join(work, name, 'nats-server')
}

/** The checksum of the sources of the release in Go's checksum database, sum.golang.org. */
const moduleChecksum = 'h1:ETr9+LamgSyw+70x1iJm4J9m//sN5KSChQWk4uxJJJo='

/** Builds the release with Go, for machines that reach the Go module proxy but not GitHub. Takes minutes. */
export async function buildNatsRelease(work: string): Promise<string> {
  await promisify(execFile)('go', ['install', `github.com/nats-io/nats-server/v2@v${readNatsRelease()}`], {
    env: { ...process.env, GOBIN: work },
  })
  const binary = join(work, 'nats-server')
  await verifyBuiltRelease(binary)
  return binary
}

/** Compares the sources that a program was built from with the release. @throws Error if they are others */
async function verifyBuiltRelease(binary: string): Promise<void> {
  const { stdout } = await promisify(execFile)('go', ['version', '-m', binary])
  const expected = ['mod', 'github.com/nats-io/nats-server/v2', `v${readNatsRelease()}`, moduleChecksum].join('\t')
  if (!stdout.includes(expected)) throw new Error(`${binary} was not built from the sources of v${readNatsRelease()}`)
}
