import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A file of this folder as a process of its own, which is asked things and answers. */
export interface HelperProcess {
  pid: number | undefined
  call<Answer>(what: string, about?: unknown): Promise<Answer>
  stop(): Promise<void>
}

interface HelperCall {
  id: number
  what: string
  about: unknown
}

/** Starts a helper and waits until it is ready. @param env all it gets beside the path */
export async function startHelper(file: string, env: Record<string, string>): Promise<HelperProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file)], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  const killOnExit = () => child.kill('SIGKILL')
  process.once('exit', killOnExit)
  const ask = createCaller(child)
  await ask('ready')
  return {
    pid: child.pid,
    call: ask,
    async stop() {
      process.removeListener('exit', killOnExit)
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

function createCaller(child: ChildProcess): HelperProcess['call'] {
  const waiting = new Map<number, { resolve(serveCalls: unknown): void; reject(error: Error): void }>()
  let count = 0
  child.on('message', ({ id, answer, error }: { id: number; answer?: unknown; error?: string }) => {
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asked?.resolve(answer)
    else asked?.reject(new Error(error))
  })
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('a helper of the benchmark has ended'))
  })
  return <Answer>(what: string, about?: unknown) =>
    new Promise<Answer>((resolve, reject) => {
      count += 1
      // The helper answers this question in the shape its file declares.
      waiting.set(count, { resolve: (answer) => resolve(answer as Answer), reject })
      child.send({ id: count, what, about })
    })
}

/** The other side: answers every question by the function of its name. */
export function answer(answers: Record<string, (about: never) => unknown>): void {
  process.on('message', ({ id, what, about }: HelperCall) => {
    const work = what === 'ready' ? () => true : answers[what]
    Promise.resolve()
      // Whoever asks knows what the question is about.
      .then(() => work?.(about as never))
      .then(
        (given) => process.send?.({ id, answer: given }),
        (error: unknown) => process.send?.({ id, error: String(error) }),
      )
  })
  process.on('disconnect', () => process.exit())
}

/** Milliseconds of a clock that all processes of the machine share. */
export const sharedClockMs = (): number => Number(process.hrtime.bigint()) / 1e6
