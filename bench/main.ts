// npm run bench -- <name> [options]: runs one benchmark, prints its results as a table and writes them to bench/results
// as JSON.
import { globSync } from 'node:fs'
import { join } from 'node:path'

const [name, ...options] = process.argv.slice(2)
const names = globSync('src/*.bench.ts', { cwd: import.meta.dirname }).map((file) =>
  file.slice('src/'.length, -'.bench.ts'.length),
)

if (name === undefined || !names.includes(name)) {
  process.stderr.write(`usage: npm run bench -- <${names.sort().join('|')}> [options]\n`)
  process.exit(1)
}
const benchmark: { run(options: string[]): Promise<void> } = await import(
  join(import.meta.dirname, `src/${name}.bench.ts`)
)
await benchmark.run(options)
process.exit(0)
