// npm run programs:build: bundles the programs, unless the last build is of the present sources. A program of a
// thousand modules takes twice as long to start as its bundle. Rolldown is a development dependency: without it, as in
// an installation for production, nothing is built and programs run from their sources.
import { createRequire } from 'node:module'
import { join } from 'node:path'
// biome-ignore lint/correctness/useImportExtensions: its types are in find-program.d.mts
import { areProgramsCurrent } from './programs/find-program.mjs'

const root = join(import.meta.dirname, '../..')
const print = (line: string) => process.stdout.write(`programs: ${line}\n`)

if (!areProgramsCurrent(root)) {
  if (isInstalled('rolldown')) {
    const startedAt = performance.now()
    const { buildPrograms } = await import('./programs/build-programs.ts')
    await buildPrograms(root)
    print(`built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  } else print('not built: rolldown, a development dependency, is not installed')
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}
