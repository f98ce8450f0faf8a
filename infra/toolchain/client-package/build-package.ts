import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createEndpointTable } from '@wp/client'
import { rolldown } from 'rolldown'
import { declareClient, declareTypes } from './declare-client.ts'
import { createManifest } from './manifest.ts'

const root = join(import.meta.dirname, '../../..')

/** Builds the published package of the client into a folder, which is replaced: modules, declarations and manifest. */
export async function buildPackage(folder: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'client-package-'))
  try {
    const sources = join(work, 'src')
    stageSources(sources)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    await bundle(sources, folder)
    declare(sources, join(work, 'types'), folder)
    const { version } = JSON.parse(readFileSync(join(root, 'packages/client/package.json'), 'utf8'))
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(createManifest(version), null, 2)}\n`)
    cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
    cpSync(join(root, 'packages/client/README.md'), join(folder, 'README.md'))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const entryModules = {
  index: 'package-entry.ts',
  'file-upload': 'file-upload.ts',
  'verify-webhook': 'verify-webhook.ts',
}

async function bundle(sources: string, folder: string): Promise<void> {
  const input = Object.fromEntries(Object.entries(entryModules).map(([name, file]) => [name, join(sources, file)]))
  const build = await rolldown({ input, platform: 'neutral', external: [/^node:/], transform: { target: 'es2022' } })
  for (const [format, extension] of [
    ['esm', 'js'],
    ['cjs', 'cjs'],
  ] as const)
    await build.write({
      dir: join(folder, format),
      format,
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `[name]-[hash].${extension}`,
    })
  await build.close()
}

/** Emits the declarations of the modules, for both module formats. */
function declare(sources: string, types: string, folder: string): void {
  const config = {
    compilerOptions: {
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      strict: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      allowImportingTsExtensions: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      moduleDetection: 'force',
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: sources,
      outDir: types,
      skipLibCheck: true,
    },
    files: Object.values(entryModules).map((file) => join(sources, file)),
  }
  writeFileSync(join(sources, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(join(sources, 'package.json'), '{"type":"module"}')
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', sources, '--checkers', '1'], {
      encoding: 'utf8',
    })
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? error.stdout : ''
    throw new Error(`the sources of the package do not compile:\n${output}`, { cause: error })
  }
  for (const file of readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.d.ts'),
  )) {
    const text = readFileSync(join(types, file), 'utf8')
    const name = file.replace(/^package-entry\.d\.ts$/, 'index.d.ts')
    write(
      join(folder, 'esm', name),
      text.replace(/(from '\.[^']*)\.ts'/g, "$1.js'").replace(/(from "\.[^"]*)\.ts"/g, '$1.js"'),
    )
    const commonName = name.replace(/\.d\.ts$/, '.d.cts')
    write(
      join(folder, 'cjs', commonName),
      text.replace(/(from '\.[^']*)\.ts'/g, "$1.cjs'").replace(/(from "\.[^"]*)\.ts"/g, '$1.cjs"'),
    )
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/**
 * Writes the sources of the package: those of the client, with the modules that import the contracts replaced by
 * generated ones, so that nothing refers to the contracts or to zod.
 */
function stageSources(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const skipped = /create-endpoint-table\.ts$|\/src\/index\.ts$|\/src\/contracts\/./
  cpSync(join(root, 'packages/client/src'), folder, { recursive: true, filter: (path) => !skipped.test(path) })
  const table = createEndpointTable()
  const lines = table.map((entry) => `  ${JSON.stringify(entry)},`).join('\n')
  for (const module of ['core/shape/query.ts', 'data/upload-types.ts'])
    cpSync(join(root, 'packages/contracts/src', module), join(folder, 'contracts', basename(module)))
  const generated = {
    'types.ts': declareTypes(),
    'client-type.ts': declareClient(table),
    'endpoints.ts': `import type { EndpointTable } from '../endpoint-table.ts'\n\n/** The endpoints of the platform. */\nexport const endpoints: EndpointTable = [\n${lines}\n]\n`,
  }
  for (const [name, text] of Object.entries(generated)) writeFileSync(join(folder, 'contracts', name), text)
}
