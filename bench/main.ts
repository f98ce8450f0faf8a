// pnpm bench <name> [options]: one benchmark, printed as a table and as JSON. Everything runs on loopback and ends by itself.
import { globSync } from 'node:fs'
import { join } from 'node:path'

const [name, ...options] = process.argv.slice(2)
const known = globSync('src/*.bench.ts', { cwd: import.meta.dirname }).map((file) =>
  file.slice('src/'.length, -'.bench.ts'.length),
)

if (name === undefined || !known.includes(name)) {
  process.stderr.write(`usage: pnpm bench <${known.sort().join('|')}> [options]\n`)
  process.exit(1)
}
const bench: { run(options: string[]): Promise<void> } = await import(join(import.meta.dirname, `src/${name}.bench.ts`))
await bench.run(options)
process.exit(0)
