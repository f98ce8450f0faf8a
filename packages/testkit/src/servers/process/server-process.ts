import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../eventually.ts'
import { readProcessInfo } from './process-info.ts'

export type Command = { file: string; args: string[]; uid?: number; gid?: number }

export type ServerProcess = {
  pid: number
  /**
   * Sends the signal and waits for the exit; sends SIGKILL after `timeoutMs`. Does not wait after SIGSTOP and SIGCONT.
   */
  terminate(signal: NodeJS.Signals, timeoutMs?: number): Promise<void>
  /** Waits until `ready` returns true. @throws Error with the end of the server's log if the process exits before */
  waitUntilReady(ready: () => Promise<boolean> | boolean, timeoutMs?: number): Promise<void>
}

const running = new Map<ChildProcess, NodeJS.Signals>()
let isExitHookInstalled = false

/**
 * Starts a server in its home folder. Its output goes to the file `server.log`, because a pipe that is not read would
 * block it. `server.pid` contains its process id and that of its owner, for `stopOrphan`. The server has its own
 * process group, so that Ctrl-C does not stop it while the services drain. It receives `exitSignal` if this process
 * exits.
 */
export async function startServerProcess(
  home: string,
  command: Command,
  exitSignal: NodeJS.Signals,
): Promise<ServerProcess> {
  const logFile = join(home, 'server.log')
  const log = openSync(logFile, 'w')
  const { file, args, ...account } = command
  const child = spawn(file, args, {
    ...account,
    cwd: home,
    stdio: ['ignore', log, log],
    detached: true,
    env: serverEnvironment(),
  })
  closeSync(log)
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`))
    child.once('error', (error) => resolve(error.message))
  }).finally(() => running.delete(child))
  const { pid } = child
  if (pid === undefined) throw new Error(`${file} cannot be started: ${await exited}`)
  writeFileSync(join(home, 'server.pid'), `${pid} ${process.pid}\n`)
  running.set(child, exitSignal)
  child.unref()
  killServersOnExit()

  return {
    pid,
    async terminate(signal, timeoutMs = 60_000) {
      child.kill(signal)
      if (signal === 'SIGSTOP' || signal === 'SIGCONT') return
      const killer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
      await keepEventLoopAlive(exited)
      clearTimeout(killer)
    },
    async waitUntilReady(ready, timeoutMs = 120_000) {
      const gone = exited.then((reason) => {
        const tail = readFileSync(logFile, 'utf8').trim().split('\n').slice(-8).join('\n  ')
        throw new Error(`${file} did not start: ${reason}\n  ${tail}`)
      })
      await Promise.race([eventually(ready, { timeoutMs, intervalMs: 5, description: `readiness of ${file}` }), gone])
    },
  }
}

/**
 * Stops a server in this home folder whose owner was killed.
 *
 * @throws Error if the owner still runs, because the folder is then in use
 */
export async function stopOrphan(home: string): Promise<void> {
  const [server, owner] = readPids(home)
  if (server === undefined || owner === undefined) return
  // Process ids are reused, so the command of the process must name this folder.
  const info = readProcessInfo(server)
  if (!info?.command.includes(home)) return
  if (info.parent === owner) throw new Error(`${home} is in use by process ${owner}`)
  process.kill(server, 'SIGINT')
  const gone = () => readProcessInfo(server) === undefined
  await eventually(gone, { timeoutMs: 10_000 }).catch(() => process.kill(server, 'SIGKILL'))
  await eventually(gone, { description: `the end of process ${server}` })
}

export function readPids(home: string): (number | undefined)[] {
  try {
    return readFileSync(join(home, 'server.pid'), 'utf8').trim().split(' ').map(Number)
  } catch {
    return []
  }
}

/** The environment of servers. Variables such as PGDATA or a missing locale are not passed. */
function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env
  return { ...(PATH !== undefined && { PATH }), ...(TMPDIR !== undefined && { TMPDIR }), LC_ALL: 'C' }
}

function killServersOnExit(): void {
  if (isExitHookInstalled) return
  isExitHookInstalled = true
  process.once('exit', () => {
    for (const [child, signal] of running) child.kill(signal)
  })
}

/** Keeps the event loop alive while the promise is pending, because the child process is unreferenced. */
async function keepEventLoopAlive<T>(promise: Promise<T>): Promise<T> {
  const hold = setInterval(() => {}, 60_000)
  return promise.finally(() => clearInterval(hold))
}
