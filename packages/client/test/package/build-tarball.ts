import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@wp/testkit'

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

/** Shared by the processes of a test run, which removes it at its end. */
const shared = join(tmpdir(), `wp-testkit-${process.ppid}-client-${process.env.WP_TEST_RUN}`)

/**
 * Returns the client as it is published, packed, and installed in an empty project without a registry. It is built once
 * in a test run, because that takes seconds; each suite has a copy.
 * @param parent the folder of the copy
 */
export async function buildTarball(parent: string): Promise<BuiltPackage> {
  const done = join(shared, 'done')
  const isFirst = (await mkdir(shared, { recursive: true })) !== undefined
  if (isFirst) {
    try {
      await build(shared)
      await writeFile(done, '')
    } catch (error) {
      await rm(shared, { recursive: true })
      throw error
    }
  }
  await eventually(() => existsSync(done) || !existsSync(shared), { description: 'the package of another suite' })
  if (!existsSync(done)) return buildTarball(parent)
  await cp(shared, parent, { recursive: true })
  const tarball = globSync('*.tgz', { cwd: parent })[0] ?? ''
  return { folder: join(parent, 'package'), tarball: join(parent, tarball), project: join(parent, 'project') }
}

/** Builds and packs the client, and installs it. */
async function build(parent: string): Promise<void> {
  const [folder, project] = [join(parent, 'package'), join(parent, 'project')]
  await run(process.execPath, [join(root, 'infra/toolchain/build-package.ts'), 'client', folder])
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', parent], { cwd: folder })
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{"name":"project","private":true}')
  const options = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  await run('npm', ['install', ...options, join(parent, stdout.trim())], { cwd: project })
}

/** Runs the TypeScript compiler of the project. @returns its messages; empty if there are none */
export async function compile(config: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  return run(process.execPath, [tsc, '-p', config, '--checkers', '1']).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
}
