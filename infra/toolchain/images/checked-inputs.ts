import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Builder, BuiltImage } from './build-image.ts'

const root = join(import.meta.dirname, '../../..')
const recordFile = join(root, 'infra/docker/checked-images.json')

/** The last complete check, which is part of the repository. */
interface CheckRecord {
  /** The digest of what the check depends on. */
  inputs: string
  checkedAt: string
  /** By builder and image: the time of the build with the cache of the images before it, and the size. */
  images: Record<string, Record<string, { seconds: number; mib: number }>>
}

/** Returns the record; undefined if there is none. */
export function readRecord(): CheckRecord | undefined {
  return existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, 'utf8')) : undefined
}

/** Stores the record of a complete check. */
export function writeRecord(now: Date, built: ReadonlyMap<Builder, readonly BuiltImage[]>): void {
  const images = Object.fromEntries(
    [...built].map(([builder, list]) => [
      builder,
      Object.fromEntries(
        list.map(({ name, seconds, bytes }) => [
          name,
          { seconds: Math.round(seconds), mib: Math.round(bytes / 1024 ** 2) },
        ]),
      ),
    ]),
  )
  const record: CheckRecord = { inputs: digestInputs(), checkedAt: now.toISOString(), images }
  writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`)
}

/**
 * Returns the digest of what decides whether the images build and start, except the sources: the Dockerfile, the
 * compose file, the lock file and the manifests of all packages. The scripts of a manifest do not count: no image runs
 * them.
 */
export function digestInputs(folder = root): string {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const files = [
    'infra/docker/Dockerfile',
    '.dockerignore',
    'docker-compose.yml',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
  ]
  const { packages }: { packages: string[] } = parse(read('pnpm-workspace.yaml'))
  const manifests = ['.', ...packages].flatMap((pattern) => globSync(join(pattern, 'package.json'), { cwd: folder }))
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0${read(file)}\0`)
  for (const file of manifests.sort()) {
    const { scripts: _, ...manifest } = JSON.parse(read(file))
    hash.update(`${file}\0${JSON.stringify(manifest)}\0`)
  }
  return hash.digest('hex')
}
