import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '../eventually.ts'
import { findFreePort, requireFreePort } from './ports.ts'
import { type Account, commandAs, findPostgresAccount, findPostgresBinary } from './postgres-binaries.ts'
import { readProcessInfo } from './process-info.ts'
import { createScratchFolder, removeScratch, sweepScratch } from './scratch.ts'
import { type ServerProcess, startServerProcess, stopOrphan } from './server-process.ts'

export type EmbeddedOptions = { dataDir?: string; port?: number; persistent?: boolean }

export type EmbeddedPostgres = {
  port: number
  password: string
  pid(): number
  kill(signal: NodeJS.Signals): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * Settings of every cluster here, and those for data that is thrown away: it need not outlive the machine. It does
 * outlive a crash of the server (tests kill it), so commits stay synchronous, which costs nothing without fsync. What
 * sessions share lies in the folder too, so that a killed server leaves nothing elsewhere.
 */
const commonSettings = ['max_connections=300', 'timezone=UTC', 'log_timezone=UTC', 'unix_socket_directories=']
const nonDurableSettings = [
  'dynamic_shared_memory_type=mmap',
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
]
/** One round of the password hash instead of 4,096: thousands of connections are made in a test run. */
const fastPasswordHash = 'scram_iterations=1'

/** Starts the PostgreSQL that npm ships. Its home folder holds `data/`, `password`, `server.log` and `server.pid`. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const persistent = options.persistent ?? false
  const { home, account } =
    options.dataDir === undefined ? createScratchHome() : await openPersistentHome(options.dataDir)
  if (options.port !== undefined) await requireFreePort(options.port, 'PostgreSQL')
  const data = join(home, 'data')
  if (!existsSync(data)) await initializeCluster(home, account, persistent)
  const password = readFileSync(join(home, 'password'), 'utf8')
  requireSameVersion(data)

  const port = options.port ?? (await findFreePort())
  const settings = [...commonSettings, `port=${port}`, 'listen_addresses=127.0.0.1']
  if (!persistent) settings.push(...nonDurableSettings, fastPasswordHash)
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
  const command = commandAs(account, findPostgresBinary('postgres'), args, [data])
  const start = async (): Promise<ServerProcess> => {
    removeStaleLock(data)
    const started = await startServerProcess(home, command, persistent ? 'SIGINT' : 'SIGQUIT')
    await started.waitUntilReady(() => isReady(data, started.pid), persistent ? 60_000 : 15_000)
    return started
  }

  let server = await start()
  // After a crash the last session may outlive its server for a moment and hold the shared memory.
  const restartServer = () =>
    eventually(start, { timeoutMs: 10_000, intervalMs: 50, description: 'a restart of PostgreSQL' })
  const stopSignal = persistent ? 'SIGINT' : 'SIGQUIT'
  return {
    port,
    password,
    pid: () => server.pid,
    kill: (signal) => server.terminate(signal),
    async restart() {
      await server.terminate('SIGINT')
      server = await restartServer()
    },
    async stop() {
      await server.terminate(stopSignal, 30_000)
      if (options.dataDir === undefined) removeScratch(home)
    },
  }
}

function createScratchHome(): { home: string; account: Account | undefined } {
  sweepScratch()
  const account = findPostgresAccount('')
  return { home: createScratchFolder('postgres', account), account }
}

async function openPersistentHome(home: string): Promise<{ home: string; account: Account | undefined }> {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  await stopOrphan(home)
  const account = findPostgresAccount(join(home, 'data'))
  if (account) chownSync(home, account.uid, account.gid)
  return { home, account }
}

/** Makes the cluster beside its place and moves it there at the end: half a cluster is never taken for a whole one. */
async function initializeCluster(home: string, account: Account | undefined, persistent: boolean): Promise<void> {
  const unfinished = join(home, 'data.new')
  const passwordFile = join(home, 'password')
  rmSync(unfinished, { recursive: true, force: true })
  writeFileSync(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 })
  if (account) chownSync(passwordFile, account.uid, account.gid)
  // The built-in C.UTF-8 sorts the same on every system and release; the C library's serves the text search parser.
  const libraryLocale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
  const locale = [
    `--locale=${libraryLocale}`,
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--encoding=UTF8',
  ]
  const identity = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  const quick = persistent ? [] : ['--no-sync', '--set', fastPasswordHash]
  const args = ['-D', unfinished, '--no-instructions', ...identity, ...locale, ...quick]
  const { file, args: fullArgs, ...user } = commandAs(account, findPostgresBinary('initdb'), args, [unfinished])
  await promisify(execFile)(file, fullArgs, { ...user, cwd: home, env: { PATH: process.env.PATH ?? '' } })
  renameSync(unfinished, join(home, 'data'))
}

function requireSameVersion(data: string): void {
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (version !== '18')
    throw new Error(`${data} was made by PostgreSQL ${version}, this is 18: move it away or upgrade it`)
}

/**
 * A server that lost its power leaves `postmaster.pid`; PostgreSQL refuses to start when that id now belongs to some
 * other program of the same account, as it soon does in a container. Removed unless it is a PostgreSQL that runs.
 */
function removeStaleLock(data: string): void {
  const lock = join(data, 'postmaster.pid')
  if (!existsSync(lock)) return
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0])
  if (!readProcessInfo(pid)?.command.includes('postgres')) rmSync(lock)
}

/** The eighth line of the lock file is the state that `pg_ctl` waits for, too. */
function isReady(data: string, pid: number): boolean {
  const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}
