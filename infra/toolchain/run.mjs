// The first step of `npm start`, `npm test` and `npm run demo` on any machine with Node 20 and npm: installs what is
// missing (pnpm through npx, dependencies, generated code), then hands over to the project's own Node.
// Plain JavaScript for old Nodes; nothing else may be needed to run this file.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const stampFile = join(root, 'node_modules/.cache/installed')
const node = join(root, 'node_modules/node/bin/node')
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(root, 'node_modules/jest/bin/jest.js'),
]

installWhatIsMissing()
if (process.argv[2] !== '--setup') handOver(process.argv.slice(2))

function installWhatIsMissing() {
  const wanted = fingerprint()
  if (existsSync(node) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  say(`installing dependencies with ${packageManager} …`)
  const started = Date.now()
  const install = spawnSync('npx', ['-y', packageManager, 'install', '--frozen-lockfile'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (install.status !== 0) {
    say('the installation failed; its own message stands above')
    process.exit(install.status ?? 1)
  }
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, wanted)
  say(`installed in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

/** What the installed tree depends on: the lockfile and every Prisma schema (clients are generated at install). */
function fingerprint() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'pnpm-lock.yaml')))
  for (const service of readdirSync(join(root, 'services')).sort()) {
    const schema = join(root, 'services', service, 'prisma/schema.prisma')
    if (existsSync(schema)) hash.update(service).update(readFileSync(schema))
    if (existsSync(schema) && !existsSync(join(root, 'services', service, 'src/generated')))
      hash.update('not generated')
  }
  return hash.digest('hex')
}

function handOver([target, ...rest]) {
  const args = target === '--jest' ? [...jest, ...rest] : [join(root, target), ...rest]
  const child = spawn(node, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, INIT_CWD: process.env.INIT_CWD ?? process.cwd() },
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)))
}

function say(line) {
  process.stdout.write(`setup: ${line}\n`)
}
