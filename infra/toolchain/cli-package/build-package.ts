import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { parse } from 'yaml'
import { publicationOf } from '../client-package/manifest.ts'

const root = join(import.meta.dirname, '../../..')
const source = join(root, 'packages/cli')

/** Libraries that the package depends on, because they have native or WebAssembly code, or are large. */
const dependencies = ['@napi-rs/keyring', '@stricli/core', 'jq-wasm']

/** Builds the published package of the command line into a folder, which is replaced: modules, program and manifest. */
export async function buildCommandLinePackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'bin'), { recursive: true })
  await bundle(join(folder, 'lib'))
  const program = readFileSync(join(source, 'bin/wp.mjs'), 'utf8')
  const published = program.replace("'../src/main.ts'", "'../lib/main.js'")
  if (published === program) throw new Error('packages/cli/bin/wp.mjs does not import src/main.ts')
  writeFileSync(join(folder, 'bin/wp.mjs'), published)
  chmodSync(join(folder, 'bin/wp.mjs'), 0o755)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(createManifest(), null, 2)}\n`)
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(source, 'README.md'), join(folder, 'README.md'))
}

/** Commands stay modules of their own: a command loads only what it needs. */
async function bundle(folder: string): Promise<void> {
  const build = await rolldown({
    input: join(source, 'src/main.ts'),
    platform: 'node',
    external: [/^node:/, ...dependencies],
    transform: { target: 'es2022' },
  })
  await build.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  await build.close()
}

function createManifest() {
  const { version, engines } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const { catalog } = parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'))
  return {
    name: '@workspace-platform/cli',
    version,
    description: 'Command line of the workspace platform',
    ...publicationOf('cli'),
    keywords: ['workspace-platform', 'cli'],
    type: 'module',
    bin: { wp: './bin/wp.mjs' },
    engines,
    dependencies: Object.fromEntries(dependencies.map((name) => [name, catalog[name]])),
    files: ['bin', 'lib'],
  }
}
