import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { buildCommandLinePackage } from '../cli-package/build-package.ts'
import { buildPackage } from '../client-package/build-package.ts'
import { readVersion } from './version.ts'

const root = join(import.meta.dirname, '../../..')

/** The packages that users install: two for npm, and a wheel. */
export const packageNames = ['client', 'cli', 'python'] as const
export type PackageName = (typeof packageNames)[number]

/** Returns the path of a packed package. */
export const packageFile = (name: PackageName, version = readVersion()): string =>
  join(
    root,
    'dist/packages',
    name === 'python' ? `workspace_platform-${version}-py3-none-any.whl` : `workspace-platform-${name}-${version}.tgz`,
  )

/** Builds and packs packages into `dist/packages`. @returns their paths */
export async function packPackages(names: readonly PackageName[] = packageNames): Promise<string[]> {
  mkdirSync(join(root, 'dist/packages'), { recursive: true })
  const paths: string[] = []
  for (const name of names) paths.push(await pack(name))
  return paths
}

async function pack(name: PackageName): Promise<string> {
  const file = packageFile(name)
  const target = join(file, '..')
  if (name === 'python') packWheel(target)
  else {
    const work = mkdtempSync(join(tmpdir(), `${name}-package-`))
    try {
      await (name === 'cli' ? buildCommandLinePackage : buildPackage)(work)
      execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: work })
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
  }
  if (!existsSync(file)) throw new Error(`packing did not make ${basename(file)}`)
  return file
}

/** Needs Python 3.11 with pip, and the build back end from PyPI or pip's cache. */
function packWheel(target: string): void {
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--wheel-dir', target]
  execFileSync('python3', ['-m', 'pip', 'wheel', ...options, join(root, 'clients/python')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
