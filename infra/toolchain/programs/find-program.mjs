// Finds the bundle of a program. Plain JavaScript without dependencies, because bootstrap.mjs runs it before anything
// is installed.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of all builds, relative to the project. */
export const programsFolder = 'dist/programs'
/** Describes the last build: its folder, its programs and the files that it was built from. */
export const manifestName = 'current.json'

/**
 * Returns the path of a program's bundle, or undefined if it was never built or a file that it was built from changed.
 */
export function findProgram(root, source) {
  const manifest = readManifest(root)
  if (manifest?.programs[source] === undefined || !isCurrent(root, manifest)) return undefined
  return join(root, programsFolder, manifest.folder, manifest.programs[source])
}

/** Returns the folder of Node's compile cache of a bundle. It is removed with the build. */
export const compileCacheOf = (bundle) => join(bundle, '../.compiled')

/** Tells whether the last build was made of the present sources. */
export function areProgramsCurrent(root) {
  const manifest = readManifest(root)
  return manifest !== undefined && isCurrent(root, manifest)
}

function readManifest(root) {
  try {
    return JSON.parse(readFileSync(join(root, programsFolder, manifestName), 'utf8'))
  } catch {
    return undefined
  }
}

/** A new file needs no check: it is used only if a file that imports it changes. */
function isCurrent(root, { folder, sources }) {
  if (statSync(join(root, programsFolder, folder), { throwIfNoEntry: false }) === undefined) return false
  return Object.entries(sources).every(([path, version]) => version === versionOf(join(root, path)))
}

/** Identifies the content of a file by its time and size; undefined if there is no such file. */
export function versionOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? undefined : `${stat.mtimeMs}:${stat.size}`
}
