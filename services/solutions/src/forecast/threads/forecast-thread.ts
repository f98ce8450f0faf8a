import { Worker } from 'node:worker_threads'
import { ForecastInputError } from '../errors.ts'
import type { TaskOutput, ThreadTask } from './thread-task.ts'

export type ThreadMessage =
  | { kind: 'progress'; fraction: number }
  | { kind: 'finished'; output: TaskOutput }
  | { kind: 'refused'; code: ForecastInputError['code']; message: string }

/** The memory of one thread; a series of a million points uses about half of it. */
const maxHeapMib = 512

/** Reports of a thread about the task it works on. One of `onFinished` and `onFailed` is the last call. */
export interface ThreadListener {
  onProgress: (fraction: number) => void
  onFinished: (output: TaskOutput) => void
  /** `isDead`: the thread has ended and takes no more tasks. */
  onFailed: (error: unknown, isDead: boolean) => void
}

/** A thread that does one task at a time. */
export interface ForecastThread {
  start(task: ThreadTask, listener: ThreadListener): void
  /** Ends the thread at once; its listener is not called any more. */
  terminate(): Promise<void>
}

export function startForecastThread(): ForecastThread {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    // The thread must not inherit flags of the process, such as an inspector port.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMib },
  })
  let listener: ThreadListener | undefined
  const fail = (error: unknown, isDead: boolean): void => {
    const current = listener
    listener = undefined
    current?.onFailed(error, isDead)
  }
  worker.on('error', (error) => fail(error, true))
  worker.on('exit', (code) => fail(new Error(`a forecast thread exited with code ${code} without a result`), true))
  worker.on('message', (message: ThreadMessage) => {
    if (message.kind === 'progress') return listener?.onProgress(message.fraction)
    if (message.kind === 'refused') return fail(new ForecastInputError(message.code, message.message), false)
    const current = listener
    listener = undefined
    current?.onFinished(message.output)
  })
  return {
    start(task, newListener) {
      listener = newListener
      worker.postMessage(task)
    },
    async terminate() {
      listener = undefined
      await worker.terminate()
    },
  }
}
