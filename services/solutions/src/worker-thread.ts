import { Worker } from 'node:worker_threads'
import type { ThreadMessage } from './answer-messages.ts'

/** A thread that computes one thing at a time, so that requests do not wait for it. */
export interface WorkerThread<Input, Output> {
  /**
   * Computes in the thread. Rejects with the reason of the abort, which ends the thread, or with what ended it.
   * @param signal ends the computation at once
   * @param onProgress receives what the computation reports; must not throw
   */
  run(input: Input, signal?: AbortSignal, onProgress?: (fraction: number) => void): Promise<Output>
  /** False once the thread has ended. */
  readonly isAlive: boolean
  close(): Promise<void>
}

/** Starts a thread. @param file a module that calls `answerMessages` */
export function startWorkerThread<Input, Output>(
  file: URL,
  { maxHeapMib }: { maxHeapMib: number },
): WorkerThread<Input, Output> {
  const worker = new Worker(file, {
    // The thread must not inherit flags of the process, such as an inspector port.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMib },
  })
  let isAlive = true
  let ended: unknown
  // No promise of a run may depend on one that lives as long as the thread, which would keep the result of each.
  let current: (PromiseWithResolvers<Output> & { onProgress: (fraction: number) => void }) | undefined
  const end = (error: unknown) => {
    isAlive = false
    ended ??= error
    current?.reject(ended)
  }
  worker.on('error', end)
  worker.on('exit', (code) => end(new Error(`a thread exited with code ${code} without a result`)))
  worker.on('message', (message: ThreadMessage<Output>) => {
    if ('output' in message) current?.resolve(message.output)
    else current?.onProgress(message.progress)
  })
  return {
    get isAlive() {
      return isAlive
    },
    async run(input, signal, onProgress = () => {}) {
      signal?.throwIfAborted()
      if (ended !== undefined) throw ended
      const answer = Promise.withResolvers<Output>()
      current = { ...answer, onProgress }
      worker.ref()
      const abort = () => {
        isAlive = false
        answer.reject(signal?.reason)
        void worker.terminate()
      }
      signal?.addEventListener('abort', abort, { once: true })
      try {
        worker.postMessage(input)
        return await answer.promise
      } finally {
        signal?.removeEventListener('abort', abort)
        current = undefined
        // An idle thread does not keep the process.
        worker.unref()
      }
    },
    async close() {
      isAlive = false
      await worker.terminate()
    },
  }
}

/** Threads that are kept for a while, as starting one and compiling the solver takes a second or two. */
export interface ThreadPool<Input, Output> {
  /** Computes in a thread that does nothing else at the time. */
  run(input: Input, signal: AbortSignal): Promise<Output>
  close(): Promise<void>
}

const idleMs = 60_000

/** Creates a pool. The number of threads is that of concurrent calls of `run`; one of them is kept while idle. */
export function createThreadPool<Input, Output>(file: URL, options: { maxHeapMib: number }): ThreadPool<Input, Output> {
  const threads = new Set<WorkerThread<Input, Output>>()
  let idle: { thread: WorkerThread<Input, Output>; timer: NodeJS.Timeout } | undefined
  const end = async (thread: WorkerThread<Input, Output>) => {
    threads.delete(thread)
    await thread.close()
  }
  const take = (): WorkerThread<Input, Output> => {
    if (idle !== undefined) {
      clearTimeout(idle.timer)
      const { thread } = idle
      idle = undefined
      if (thread.isAlive) return thread
      threads.delete(thread)
    }
    const thread = startWorkerThread<Input, Output>(file, options)
    threads.add(thread)
    return thread
  }
  return {
    async run(input, signal) {
      const thread = take()
      try {
        return await thread.run(input, signal)
      } finally {
        if (thread.isAlive && idle === undefined) {
          const timer = setTimeout(() => {
            idle = undefined
            void end(thread)
          }, idleMs).unref()
          idle = { thread, timer }
        } else await end(thread)
      }
    },
    async close() {
      clearTimeout(idle?.timer)
      await Promise.all([...threads].map(end))
    },
  }
}
