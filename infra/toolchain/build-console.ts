// Builds the web app of the console with Vite, unless its sources are those of the last build. Compresses the files, so that
// the service does not. Vite is a development dependency of the app: without it, as in an installation for production,
// nothing is built.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = join(import.meta.dirname, '../..')
const web = join(root, 'services/console/web')
const built = join(web, 'dist')
/** Holds the digest of the sources; bootstrap.mjs compares its time with those of the sources. */
const stampName = '.sources'
/** The sources of a build. */
const sources = [
  ...['services/console/web', 'packages/client/src', 'packages/contracts/src'],
  ...['pnpm-lock.yaml', 'tsconfig.json', 'infra/toolchain/build-console.ts'],
]
const skippedFolders = new Set(['node_modules', 'dist'])

/** The part of Vite's JavaScript API that is used (https://vite.dev/guide/api-javascript). */
interface ViteApi {
  build(config: { root: string; logLevel: 'warn'; build: { outDir: string; emptyOutDir: boolean } }): Promise<unknown>
}

async function main(): Promise<void> {
  const vite = findVite()
  if (vite === undefined) return print('not built: its development dependencies are not installed')
  const digest = digestOf(sources.flatMap((path) => filesBelow(path)).sort())
  const stamp = join(built, stampName)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return utimesSync(stamp, new Date(), new Date())
  const startedAt = performance.now()
  // The folder is replaced at once, so that a service that starts during the build reads one build.
  const folder = join(web, `node_modules/.build-${process.pid}`)
  try {
    const { build }: ViteApi = await import(pathToFileURL(vite).href)
    await build({ root: web, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } })
    await Promise.all(filesIn(folder).map(compress))
    writeFileSync(join(folder, stampName), digest)
    rmSync(built, { recursive: true, force: true })
    renameSync(folder, built)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  print(`built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

function findVite(): string | undefined {
  if (!existsSync(join(web, 'vite.config.ts'))) return undefined
  try {
    return createRequire(join(web, 'package.json')).resolve('vite')
  } catch {
    return undefined
  }
}

function filesBelow(path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const inner = `${path}/${entry.name}`
    if (!entry.isDirectory()) return entry.isFile() ? [inner] : []
    return skippedFolders.has(entry.name) ? [] : filesBelow(inner)
  })
}

function digestOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Kinds of files that are not compressed already. */
const compressible = /\.(?:css|html|js|json|svg|txt|wasm|webmanifest)$/
/** A smaller saving is not worth a second file. */
const maxRatio = 0.95

async function compress(file: string): Promise<void> {
  if (!compressible.test(file)) return
  const content = readFileSync(file)
  const variants = {
    br: await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    gz: await promisify(gzip)(content, { level: 9 }),
  }
  for (const [extension, bytes] of Object.entries(variants))
    if (bytes.length < content.length * maxRatio) writeFileSync(`${file}.${extension}`, bytes)
}

function print(line: string): void {
  process.stdout.write(`console: ${line}\n`)
}

await main()
