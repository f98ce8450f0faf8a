import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '../eventually.ts'
import { type Account, commandAs, findPostgresAccount, findPostgresBinary } from './postgres-binaries.ts'
import { commonSettings, localeArguments, temporaryInitArguments, temporarySettings } from './postgres-settings.ts'
import { findFreePort, requireFreePort } from './process/ports.ts'
import { readProcessInfo } from './process/process-info.ts'
import { createScratchFolder, removeScratch, sweepScratch } from './process/scratch.ts'
import { type ServerProcess, startServerProcess, stopOrphan } from './process/server-process.ts'

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
 * Starts the PostgreSQL of the npm package. Its home folder contains `data/`, `password`, `server.log`, `server.pid`.
 */
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
  const settings = [...commonSettings, `port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=']
  // The system caches the files of a small database, too.
  if (persistent) settings.push('shared_buffers=32MB')
  else settings.push(...temporarySettings)
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
  const command = commandAs(account, findPostgresBinary('postgres'), args, [data])
  const start = async (): Promise<ServerProcess> => {
    removeStaleLock(data)
    const started = await startServerProcess(home, command, persistent ? 'SIGINT' : 'SIGQUIT')
    await started.waitUntilReady(() => isReady(data, started.pid), persistent ? 60_000 : 15_000)
    return started
  }

  let server = await start()
  // After a crash, a session may still hold the shared memory for a moment.
  const restartServer = () =>
    eventually(start, { timeoutMs: 60_000, intervalMs: 50, description: 'a restart of PostgreSQL' })
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

/** Initializes the cluster in another folder and renames it, so that an incomplete cluster is never used. */
async function initializeCluster(home: string, account: Account | undefined, persistent: boolean): Promise<void> {
  const unfinished = join(home, 'data.new')
  const passwordFile = join(home, 'password')
  rmSync(unfinished, { recursive: true, force: true })
  writeFileSync(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 })
  if (account) chownSync(passwordFile, account.uid, account.gid)
  const identity = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  const quick = persistent ? [] : temporaryInitArguments
  const args = ['-D', unfinished, '--no-instructions', ...identity, ...localeArguments(process.platform), ...quick]
  const { file, args: fullArgs, ...user } = commandAs(account, findPostgresBinary('initdb'), args, [unfinished])
  await promisify(execFile)(file, fullArgs, { ...user, cwd: home, env: { PATH: process.env.PATH ?? '' } })
  renameSync(unfinished, join(home, 'data'))
}

function requireSameVersion(data: string): void {
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (version !== '18')
    throw new Error(`${data} was created by PostgreSQL ${version}, but this is version 18: move it away or upgrade it`)
}

/**
 * Removes the `postmaster.pid` of a server that was not shut down. PostgreSQL does not start if another process of the
 * same account has that id, which happens often in containers.
 */
function removeStaleLock(data: string): void {
  const lock = join(data, 'postmaster.pid')
  if (!existsSync(lock)) return
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0])
  if (!readProcessInfo(pid)?.command.includes('postgres')) rmSync(lock)
}

/** Reads the state from the eighth line of the lock file, as `pg_ctl` does. */
function isReady(data: string, pid: number): boolean {
  const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}
