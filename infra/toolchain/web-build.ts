// What the builds of web applications have in common: they are repeated only if their sources changed, their folder is
// replaced at once, and their files are compressed, so that no process does it at run time.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = join(import.meta.dirname, '../..')
/** Holds the digest of the sources; bootstrap.mjs compares its time with those of the sources. */
const stampName = '.sources'
const skippedFolders = new Set(['node_modules', 'dist'])

export interface WebBuild {
  /** For messages. */
  name: string
  /** Folder of the package; the result is its `dist`. */
  folder: string
  /** Files and folders from which it is built, relative to the project. */
  sources: readonly string[]
  build(folder: string): Promise<void>
  /** Called with the folder when its files are compressed. */
  finish?(folder: string): void
}

/** Builds unless the sources are those of the last build, or Vite, a development dependency, is not installed. */
export async function runWebBuild({ name, folder, sources, build, finish }: WebBuild): Promise<void> {
  const print = (line: string) => process.stdout.write(`${name}: ${line}\n`)
  if (!isInstalled(folder)) return void print('not built: its development dependencies are not installed')
  const built = join(root, folder, 'dist')
  const digest = digestOf(sources.flatMap((path) => filesBelow(path)).sort())
  const stamp = join(built, stampName)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return utimesSync(stamp, new Date(), new Date())
  const startedAt = performance.now()
  // The folder is replaced at once, so that a service that starts during the build reads one build.
  const temporary = join(root, folder, `node_modules/.build-${process.pid}`)
  try {
    mkdirSync(temporary, { recursive: true })
    await build(temporary)
    await Promise.all(filesIn(temporary).map(compress))
    finish?.(temporary)
    writeFileSync(join(temporary, stampName), digest)
    rmSync(built, { recursive: true, force: true })
    renameSync(temporary, built)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  print(`built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

function isInstalled(folder: string): boolean {
  try {
    createRequire(join(root, folder, 'package.json')).resolve('vite')
    return true
  } catch {
    return false
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

/** Returns the files of a folder and of the folders in it. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Kinds of files that are not compressed already. */
const compressible = /\.(?:css|html|js|json|svg|txt|wasm|webmanifest)$/
/** A smaller saving is not worth a second file. */
const maxRatio = 0.95

/** Returns the logarithm of the smallest window that holds a file, within the limits of the format. */
const windowBits = (bytes: number): number =>
  Math.min(
    constants.BROTLI_DEFAULT_WINDOW,
    Math.max(constants.BROTLI_MIN_WINDOW_BITS, Math.ceil(Math.log2(bytes + 16))),
  )

async function compress(file: string): Promise<void> {
  if (!compressible.test(file)) return
  const content = readFileSync(file)
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    // Pages are many: the highest quality would save 3 % and take ten times as long.
    [constants.BROTLI_PARAM_QUALITY]: file.endsWith('.html') ? 9 : constants.BROTLI_MAX_QUALITY,
    // By default each stream takes and frees 4 MB of memory, which took half of the time.
    [constants.BROTLI_PARAM_LGWIN]: windowBits(content.length),
  }
  const variants = {
    br: await promisify(brotliCompress)(content, { params }),
    gz: await promisify(gzip)(content, { level: 9 }),
  }
  for (const [extension, bytes] of Object.entries(variants))
    if (bytes.length < content.length * maxRatio) writeFileSync(`${file}.${extension}`, bytes)
}
