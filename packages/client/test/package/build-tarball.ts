import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../../..')

/** The published package in a folder of its own. */
export interface BuiltPackage {
  /** The files of the package. */
  folder: string
  /** Path of the packed package. */
  tarball: string
  /** A project without anything else, in which the package is installed. */
  project: string
}

/** Builds and packs the client as it is published, and installs it in an empty project, without a registry. */
export async function buildTarball(parent: string): Promise<BuiltPackage> {
  const [folder, project] = [join(parent, 'package'), join(parent, 'project')]
  await run(process.execPath, [join(root, 'infra/toolchain/build-package.ts'), 'client', folder])
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', parent], { cwd: folder })
  const tarball = join(parent, stdout.trim())
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{"name":"project","private":true}')
  const options = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  await run('npm', ['install', ...options, tarball], { cwd: project })
  return { folder, tarball, project }
}

/** Runs the TypeScript compiler of the project. @returns its messages; empty if there are none */
export async function compile(config: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return run(process.execPath, [tsc, '-p', config, '--checkers', '1']).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
}
