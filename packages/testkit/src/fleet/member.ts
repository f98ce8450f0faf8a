import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { SignerName } from '@wp/contracts'
import { type Logger, type RunningService, type ServiceDefinition, startService } from '@wp/service'
import { eventually } from '../eventually.ts'
import { folderOf, memberProgram } from './member-program.ts'

/** A service or an edge of a running fleet. */
export interface Member {
  /** The process id; undefined for a member in this process. */
  pid: number | undefined
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>
  /** Sends a signal, by default SIGKILL, and waits for the exit. Only for processes. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** The output of the process. */
  output(): string
}

interface ServiceModule {
  definition: ServiceDefinition
}
interface GatewayModule {
  startGateway(env: Record<string, string>, options?: InProcessOptions): Promise<RunningService>
}

/** Options of a member in this process. */
export interface InProcessOptions {
  /** The logger. Default: standard output. */
  log?: Logger
  /** Additional routes of an edge, by path. */
  routes?: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>
  /** Imports a member's code. Default: from its folder. */
  load?: LoadMember
}

/** Imports the code of a member, its `src/index.ts`. */
export type LoadMember = (name: SignerName) => Promise<unknown>

/** Imports a member's code on demand, so that a test loads only the services that it starts. */
const loadFromFolder: LoadMember = (name) => import(join(folderOf(name), 'src/index.ts'))

/** Imports the code of members before they are started. Import errors are thrown when the member is started. */
export async function preload(names: readonly SignerName[], load = loadFromFolder): Promise<void> {
  await Promise.allSettled(names.map(load))
}

/** Starts a member in this process. */
export async function startInProcess(
  name: SignerName,
  env: Record<string, string>,
  options: InProcessOptions = {},
): Promise<Member> {
  const module = await (options.load ?? loadFromFolder)(name)
  const running =
    name === 'gateway'
      ? await (module as GatewayModule).startGateway(env, options) // the edge exports it
      : await startService((module as ServiceModule).definition, env, options) // every service exports it
  let stopped: Promise<void> | undefined
  return {
    pid: undefined,
    stop: () => {
      stopped ??= running.stop()
      return stopped
    },
    kill: () => Promise.reject(new Error(`${name} runs in this process`)),
    output: () => '',
  }
}

/** The time in which a process must become ready. */
const readyTimeoutMs = 120_000

/**
 * Starts a member as a process and waits until it is ready.
 * @param checkout the folder of its code, which runs from its sources; default: this one
 */
export async function startMemberProcess(
  name: SignerName,
  env: Record<string, string>,
  checkout?: string,
): Promise<Member> {
  const lines: string[] = []
  const program = await memberProgram(name, env, checkout)
  const child = spawn(process.execPath, [program.path], {
    env: program.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      lines.push(String(chunk))
      if (lines.length > 500) lines.shift()
    })
  const exited = once(child, 'exit')
  const killOnExit = () => child.kill('SIGKILL')
  process.once('exit', killOnExit)
  void exited.then(() => process.removeListener('exit', killOnExit))
  const output = () => lines.join('')

  async function kill(signal: NodeJS.Signals = 'SIGKILL') {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await exited
    }
  }

  const address = `http://127.0.0.1:${name === 'gateway' ? env.ADMIN_PORT : env.PORT}/readyz`
  const ready = eventually(async () => (await fetch(address)).ok, {
    timeoutMs: readyTimeoutMs,
    intervalMs: 50,
    description: `${name} being ready`,
  })
  const exitedEarly = exited.then(() => Promise.reject(new Error(`${name} exited during its start: ${output()}`)))
  await Promise.race([ready, exitedEarly]).catch(async (error: unknown) => {
    await kill()
    throw error
  })
  exitedEarly.catch(() => undefined) // a later exit is not an error
  return { pid: child.pid, stop: () => kill('SIGTERM'), kill, output }
}
