import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { SignerName } from '@wp/contracts'
import { type Logger, type RunningService, type ServiceDefinition, startService } from '@wp/service'
import { eventually } from '../eventually.ts'

/** One service, or the edge, of a running fleet. */
export interface Member {
  /** Of a process of its own. */
  pid: number | undefined
  /** As an operator would: SIGTERM, and wait. */
  stop(): Promise<void>
  /** As a crash would, and wait until it is gone. Processes only. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** What the process wrote, newest last. */
  output(): string
}

const root = join(import.meta.dirname, '../../../..')
const folderOf = (name: SignerName) => (name === 'gateway' ? join(root, 'gateway') : join(root, 'services', name))

interface ServiceModule {
  definition: ServiceDefinition
}
interface GatewayModule {
  startGateway(env: Record<string, string>, options?: InProcessOptions): Promise<RunningService>
}

/** What a member in this process can be given beside its environment. */
export interface InProcessOptions {
  /** Where it logs; default its own standard output. */
  log?: Logger
  /** What an edge answers beside the interface, by its path. */
  routes?: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>
}

/** Loads a service when it is started: a test that starts one does not pay for all. */
async function load<Module>(name: SignerName): Promise<Module> {
  const module: Module = await import(join(folderOf(name), 'src/index.ts'))
  return module
}

/** Loads the code of members ahead of their start, while something else is awaited. What cannot be loaded says so at its start. */
export async function preload(names: readonly SignerName[]): Promise<void> {
  await Promise.allSettled(names.map(load))
}

/** Starts a member in this process. */
export async function startInProcess(
  name: SignerName,
  env: Record<string, string>,
  options: InProcessOptions = {},
): Promise<Member> {
  const running =
    name === 'gateway'
      ? await (await load<GatewayModule>(name)).startGateway(env, options)
      : await startService((await load<ServiceModule>(name)).definition, env, options)
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

/** How long a process may take until it is ready. */
const readyTimeoutMs = 20_000

/** Starts a member as a process of its own and waits until it is ready. */
export async function startMemberProcess(name: SignerName, env: Record<string, string>): Promise<Member> {
  const lines: string[] = []
  const child = spawn(process.execPath, [join(folderOf(name), 'src/main.ts')], {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), ...env },
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
  const exitedEarly = exited.then(() => Promise.reject(new Error(`${name} ended at once: ${output()}`)))
  await Promise.race([ready, exitedEarly]).catch(async (error: unknown) => {
    await kill()
    throw error
  })
  exitedEarly.catch(() => undefined) // from now on its end is somebody's wish
  return { pid: child.pid, stop: () => kill('SIGTERM'), kill, output }
}
