import { Worker } from 'node:worker_threads'
import { ForecastInputError } from './errors.ts'
import type { ForecastInput, ForecastOutput } from './shapes.ts'

export type WorkerMessage =
  | { kind: 'progress'; fraction: number }
  | { kind: 'finished'; output: ForecastOutput }
  | { kind: 'refused'; code: ForecastInputError['code']; message: string }

export interface WorkerOptions {
  /** Receives fractions from 0 to 1. */
  onProgress?: (fraction: number) => void
  /** Aborting terminates the thread and rejects with the signal's reason. */
  signal?: AbortSignal
}

/**
 * Runs `forecast` in a worker thread, so that the event loop stays responsive. Rejects with an error of `forecast`, the
 * reason of the abort, or the error that terminated the thread, such as exceeding its 512 MiB of memory.
 */
export async function forecastInWorker(
  input: ForecastInput,
  { onProgress = () => {}, signal }: WorkerOptions = {},
): Promise<ForecastOutput> {
  signal?.throwIfAborted()
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: input,
    // The thread must not inherit flags of the process, such as an inspector port.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  const { promise, resolve, reject } = Promise.withResolvers<ForecastOutput>()
  const stop = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  worker.on('error', reject)
  worker.on('exit', (code) => reject(new Error(`the forecast thread exited with code ${code} without a result`)))
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'finished') return resolve(message.output)
    if (message.kind === 'refused') return reject(new ForecastInputError(message.code, message.message))
    try {
      onProgress(message.fraction)
    } catch (error) {
      reject(error)
    }
  })
  try {
    return await promise
  } finally {
    signal?.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
