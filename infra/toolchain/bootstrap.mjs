// The first step of `npm start`, `npm test` and `npm run demo` on any machine with Node 20 and npm: installs what is
// missing (pnpm through npx, dependencies, generated code), then hands over to the project's own Node.
// Plain JavaScript for old Nodes; nothing else may be needed to run this file.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const cache = join(root, 'node_modules/.cache')
const node = join(root, 'node_modules/node/bin/node')
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(root, 'node_modules/jest/bin/jest.js'),
]

requireNode(20)
if (!isReady()) oneAtATime(prepare)
if (process.argv[2] !== '--setup') handOver(process.argv.slice(2))

function requireNode(least) {
  if (Number(process.versions.node.split('.')[0]) >= least) return
  fail(`Node ${process.versions.node} is too old; version ${least} or later is needed to begin`)
}

function isReady() {
  return (
    existsSync(node) && isStamped('installed', lockfile()) && areClientsThere() && isStamped('generated', schemas())
  )
}

/** Another run may have done it all while this one waited for its turn. */
function prepare() {
  if (!existsSync(node) || !isStamped('installed', lockfile())) {
    const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const pnpm = packageManager.split('+')[0]
    // `--prod=false`: the toolchain is there although NODE_ENV says production. Nobody is asked anything.
    const args = ['-y', pnpm, 'install', '--frozen-lockfile', '--prod=false', '--config.confirm-modules-purge=false']
    run(`installing dependencies with ${pnpm}`, 'npx', args)
    stamp('installed', lockfile())
  }
  // An installation that finds nothing to do does not generate.
  if (!areClientsThere() || !isStamped('generated', schemas())) {
    run('generating database clients', node, [join(root, 'infra/toolchain/generate-clients.ts')])
    stamp('generated', schemas())
  }
}

function run(what, command, args) {
  say(`${what} …`)
  const started = Date.now()
  const shell = process.platform === 'win32'
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell })
  if (error) fail(`${what} failed: ${error.message}`)
  if (status !== 0) fail(`${what} failed; its own message stands above`)
  say(`${what}: done in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

function lockfile() {
  return digest(['pnpm-lock.yaml', 'pnpm-workspace.yaml'])
}

/** What the generated clients follow from. */
function schemas() {
  return digest([
    ...services().map((name) => `services/${name}/prisma/schema.prisma`),
    'infra/toolchain/generate-clients.ts',
  ])
}

function areClientsThere() {
  return services().every((name) => existsSync(join(root, 'services', name, 'src/generated')))
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

/** `npm start` and `npm test` on a fresh checkout would install over each other. */
function oneAtATime(work) {
  const turn = join(tmpdir(), `wp-install-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`)
  let waiting = false
  while (!takeTurn(turn)) {
    if (!waiting) say('another run is installing; waiting for it')
    waiting = true
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  }
  const giveBack = () => rmSync(turn, { recursive: true, force: true })
  process.once('exit', giveBack)
  work()
  process.removeListener('exit', giveBack)
  giveBack()
}

/** A folder is made by one alone. That of a run that is gone is taken over. */
function takeTurn(folder) {
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
    const justMade = error.code === 'ENOENT' && Date.now() - statSync(folder).mtimeMs < 5000
    if (error.code !== 'EPERM' && !justMade) rmSync(folder, { recursive: true, force: true })
  }
  return false
}

function handOver([target, ...rest]) {
  const isJest = target === '--jest'
  const args = isJest ? [...jest, ...rest] : [join(root, target), ...rest]
  const child = spawn(node, args, {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      INIT_CWD: process.env.INIT_CWD ?? process.cwd(),
      // Code that comes from the cache is not covered exactly.
      ...(isJest ? {} : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(cache, 'node') }),
    },
  })
  // A terminal sends its Ctrl-C to both of us; the child takes the second for the same press.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`${node} cannot be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)))
}

function say(line) {
  process.stdout.write(`setup: ${line}\n`)
}

function fail(line) {
  process.stderr.write(`setup: ${line}\n`)
  process.exit(1)
}
