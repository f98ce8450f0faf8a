// The first step of `npm start`, `npm test` and `npm run demo`: installs missing dependencies with pnpm (through npx),
// generates the database clients, builds the web app of the console, the documentation and the bundles of the programs,
// and runs the target with the project's own Node version, or with `--command` prints the command that runs it.
// Requires only Node 20 and npm, so this file and what it imports are plain JavaScript without dependencies.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
// biome-ignore lint/correctness/useImportExtensions: its types are in find-program.d.mts
import { areProgramsCurrent, compileCacheOf, findProgram } from './programs/find-program.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const cache = join(root, 'node_modules/.cache')
const node = join(root, 'node_modules/node/bin/node')
const jest = join(root, 'node_modules/jest/bin/jest.js')
/** Targets that run from their bundles. Tests build the bundles when they start the first process. */
const bundledTargets = ['infra/local/src/main.ts', 'infra/local/src/demo/main.ts']
const printsCommand = process.argv[2] === '--command'
const [target, ...targetArgs] = process.argv.slice(printsCommand ? 3 : 2)
const needsPrograms = bundledTargets.includes(target)
/**
 * The whole platform runs in this process. V8 reserves 64 MB for new objects, and the GNU C library has an arena for
 * each thread and returns less and less of the freed memory to the system. Limits for these save 70 MB and cost no
 * measurable time at the start.
 */
const smallHeap = {
  flags: ['--max-semi-space-size=4'],
  variables: ['MALLOC_ARENA_MAX=2', 'MALLOC_TRIM_THRESHOLD_=131072'],
}

requireNode(20)
if (!isPrepared()) withInstallLock(prepare)
if (printsCommand) process.stdout.write(`${commandOf().join(' ')}\n`)
else if (target !== '--setup') runTarget()

function requireNode(minimum) {
  if (Number(process.versions.node.split('.')[0]) >= minimum) return
  fail(`Node ${process.versions.node} is too old; install version ${minimum} or later`)
}

function isPrepared() {
  return (
    existsSync(node) &&
    isStamped('installed', lockfile()) &&
    hasClients() &&
    isStamped('generated', schemas()) &&
    isConsoleBuilt() &&
    areDocsBuilt() &&
    (!needsPrograms || areProgramsCurrent(root))
  )
}

/** Checks each step again, because another run may have done it while this one waited for the lock. */
function prepare() {
  if (!existsSync(node) || !isStamped('installed', lockfile())) {
    const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const pnpm = packageManager.split('+')[0]
    // `--prod=false` installs the toolchain even if NODE_ENV is production; the last option prevents a prompt.
    const args = ['-y', pnpm, 'install', '--frozen-lockfile', '--prod=false', '--config.confirm-modules-purge=false']
    const startedAt = Date.now()
    run(`installing dependencies with ${pnpm}`, 'npx', args)
    stamp('installed', lockfile())
    if (hasClients() && clients().every((file) => statSync(file).mtimeMs >= startedAt)) stamp('generated', schemas())
  }
  // An installation without changes does not run the script that generates the clients.
  if (!hasClients() || !isStamped('generated', schemas())) {
    run('generating database clients', node, [join(root, 'infra/toolchain/generate-clients.ts')])
    stamp('generated', schemas())
  }
  if (!isConsoleBuilt()) run('building the console', node, [join(root, 'infra/toolchain/build-console.ts')])
  if (!areDocsBuilt()) run('building the documentation', node, [join(root, 'infra/toolchain/build-docs.ts')])
  if (needsPrograms && !areProgramsCurrent(root))
    run('building the programs', node, [join(root, 'infra/toolchain/build-programs.ts')])
}

function run(what, command, args) {
  print(`${what} …`)
  const started = Date.now()
  const shell = process.platform === 'win32'
  // Standard output is for the command.
  const stdio = ['inherit', printsCommand ? 2 : 'inherit', 'inherit']
  const { status, error } = spawnSync(command, args, { cwd: root, stdio, shell })
  if (error) fail(`${what} failed: ${error.message}`)
  if (status !== 0) fail(`${what} failed; see its message above`)
  print(`${what}: done in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

function lockfile() {
  return digest(['pnpm-lock.yaml', 'pnpm-workspace.yaml'])
}

/** Returns the digest of the files from which the clients are generated. */
function schemas() {
  return digest([
    ...services().map((name) => `services/${name}/prisma/schema.prisma`),
    'infra/toolchain/generate-clients.ts',
  ])
}

function clients() {
  return services().map((name) => join(root, 'services', name, 'src/generated/prisma/client.ts'))
}

function hasClients() {
  return clients().every((file) => existsSync(file))
}

function isConsoleBuilt() {
  return isBuilt('services/console/web', ['packages/client/src', 'packages/contracts/src'])
}

function areDocsBuilt() {
  return isBuilt('gateway/docs-site', ['docs/guides', 'packages/contracts/src', 'services/console/web/src/theme'])
}

/** Compares times only; the build itself compares the content of the sources, and renews the time of the stamp. */
function isBuilt(folder, otherSources) {
  const file = join(root, folder, 'dist/.sources')
  const isOlder = (path) => newestTime(join(root, path)) <= statSync(file).mtimeMs
  return existsSync(file) && [folder, ...otherSources].every(isOlder)
}

function newestTime(path) {
  const entries = readdirSync(path, { withFileTypes: true })
  const inner = entries
    .filter((entry) => entry.name !== 'node_modules' && entry.name !== 'dist')
    .map((entry) =>
      entry.isDirectory() ? newestTime(join(path, entry.name)) : statSync(join(path, entry.name)).mtimeMs,
    )
  return Math.max(0, ...inner)
}

function services() {
  return readdirSync(join(root, 'services'))
    .filter((name) => existsSync(join(root, 'services', name, 'prisma/schema.prisma')))
    .sort()
}

function digest(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function isStamped(name, value) {
  const file = join(cache, name)
  return existsSync(file) && readFileSync(file, 'utf8') === value
}

function stamp(name, value) {
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, name), value)
}

/** Runs `work` under a lock, because concurrent runs in a new checkout must not install at the same time. */
function withInstallLock(work) {
  const lock = join(tmpdir(), `wp-install-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`)
  let waiting = false
  while (!acquireLock(lock)) {
    if (!waiting) print('another run is installing; waiting for it')
    waiting = true
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  }
  const release = () => rmSync(lock, { recursive: true, force: true })
  process.once('exit', release)
  work()
  process.removeListener('exit', release)
  release()
}

/** Creates the lock folder, which is atomic. Removes the folder of a process that no longer runs. */
function acquireLock(folder) {
  const owner = join(folder, 'pid')
  try {
    mkdirSync(folder)
    writeFileSync(owner, String(process.pid))
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  try {
    process.kill(Number(readFileSync(owner, 'utf8')), 0)
  } catch (error) {
    const madeAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs
    if (madeAt === undefined) return false // released since
    const justMade = error.code === 'ENOENT' && Date.now() - madeAt < 5000
    if (error.code !== 'EPERM' && !justMade) rmSync(folder, { recursive: true, force: true })
  }
  return false
}

/** Returns the file of the target, and the folder of its compile cache. */
function locateTarget() {
  const bundle = needsPrograms ? findProgram(root, target) : undefined
  const file = target === '--jest' ? jest : (bundle ?? join(root, target))
  return { file, compileCache: bundle === undefined ? join(cache, 'node') : compileCacheOf(bundle) }
}

/** Returns the words of the command that runs the target from the folder of the project. */
function commandOf() {
  const { file, compileCache } = locateTarget()
  const fromRoot = (path) => relative(root, path)
  // A folder that the user has set is inherited; its path may contain spaces.
  const own = process.env.NODE_COMPILE_CACHE === undefined ? [`NODE_COMPILE_CACHE=${fromRoot(compileCache)}`] : []
  return ['env', ...smallHeap.variables, ...own, fromRoot(node), ...smallHeap.flags, fromRoot(file)]
}

function runTarget() {
  const { file, compileCache } = locateTarget()
  const child = spawn(node, [file, ...targetArgs], {
    cwd: root,
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: compileCache, INIT_CWD: process.cwd(), ...process.env },
  })
  // A terminal sends Ctrl-C to this process and to the child, which treats two quick signals as one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`${node} cannot be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)))
}

function print(line) {
  const stream = printsCommand ? process.stderr : process.stdout
  stream.write(`setup: ${line}\n`)
}

function fail(line) {
  process.stderr.write(`setup: ${line}\n`)
  process.exit(1)
}
