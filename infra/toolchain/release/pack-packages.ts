import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

/**
 * Installs the packed packages in empty projects, as users do, and runs them: needs the npm registry and PyPI for what
 * they depend on.
 * @throws Error if one does not install, does not run or has another version
 */
export function checkPackages(version: string): void {
  const project = mkdtempSync(join(tmpdir(), 'release-'))
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
  try {
    writeFileSync(join(project, 'package.json'), '{"name":"project","private":true}')
    const options = ['--silent', '--no-audit', '--no-fund', '--prefer-offline']
    run('npm', 'install', ...options, packageFile('client', version), packageFile('cli', version))
    requireVersion('the command line', run('npx', '--no-install', 'wp', '--version'), version)
    const program =
      "require('@workspace-platform/client'); console.log(require('@workspace-platform/client/package.json').version)"
    requireVersion('the client', run(process.execPath, '-e', program), version)
    run('python3', '-m', 'venv', 'python')
    const python = join(project, 'python/bin/python')
    run(python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', packageFile('python', version))
    const statement = 'import workspace_platform, importlib.metadata as m; print(m.version("workspace-platform"))'
    requireVersion('the Python client', run(python, '-c', statement), version)
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

function requireVersion(name: string, found: string, expected: string): void {
  if (found !== expected) throw new Error(`${name} says that it is version ${found}, not ${expected}`)
}
