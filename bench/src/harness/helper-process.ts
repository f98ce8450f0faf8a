import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A file in a process of its own that serves calls, see `serveCalls`. */
export interface HelperProcess {
  pid: number | undefined
  call<Result>(name: string, argument?: unknown): Promise<Result>
  stop(): Promise<void>
}

/**
 * Starts a helper and waits until it is ready.
 *
 * @param path the path of its file
 * @param env its environment, besides PATH
 */
export async function startHelper(path: string, env: Record<string, string>): Promise<HelperProcess> {
  const child = startProcess(process.execPath, [path], env)
  const call = createCaller(child)
  await call('ready')
  return { pid: child.pid, call, stop: () => stopProcess(child) }
}

/** Runs a program that ends with this process at the latest. @param env its environment, besides PATH */
export function startProcess(program: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  const child = spawn(program, [...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  const killOnExit = () => child.kill('SIGKILL')
  process.once('exit', killOnExit)
  child.once('exit', () => process.removeListener('exit', killOnExit))
  return child
}

/** Ends a process and waits for its end. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

function createCaller(child: ChildProcess): HelperProcess['call'] {
  const pending = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let count = 0
  child.on('message', ({ id, result, error }: { id: number; result?: unknown; error?: string }) => {
    const call = pending.get(id)
    pending.delete(id)
    if (error === undefined) call?.resolve(result)
    else call?.reject(new Error(error))
  })
  child.once('exit', () => {
    for (const { reject } of pending.values()) reject(new Error('the helper process has ended'))
  })
  return <Result>(name: string, argument?: unknown) =>
    new Promise<Result>((resolve, reject) => {
      count += 1
      // The function in the helper's file returns a Result.
      pending.set(count, { resolve: (result) => resolve(result as Result), reject })
      child.send({ id: count, name, argument })
    })
}

/** Serves the calls of the parent process with the function of the same name. */
export function serveCalls(functions: Record<string, (argument: never) => unknown>): void {
  process.on('message', ({ id, name, argument }: { id: number; name: string; argument: unknown }) => {
    const called = name === 'ready' ? () => true : functions[name]
    Promise.resolve()
      // The caller passes an argument of the type that the function expects.
      .then(() => called?.(argument as never))
      .then(
        (result) => process.send?.({ id, result }),
        (error: unknown) => process.send?.({ id, error: String(error) }),
      )
  })
  process.on('disconnect', () => process.exit())
}

/** Returns milliseconds of a clock that all processes of the machine share. */
export const sharedClockMs = (): number => Number(process.hrtime.bigint()) / 1e6
