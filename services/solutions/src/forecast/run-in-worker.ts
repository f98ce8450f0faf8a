import { Worker } from 'node:worker_threads'
import { ForecastInputError } from './errors.ts'
import type { ForecastInput, ForecastOutput } from './shapes.ts'

export type WorkerMessage =
  | { kind: 'progress'; fraction: number }
  | { kind: 'finished'; output: ForecastOutput }
  | { kind: 'refused'; code: ForecastInputError['code']; message: string }

export interface WorkerOptions {
  /** Hears fractions from 0 to 1. */
  onProgress?: (fraction: number) => void
  /** Aborting ends the thread at once and rejects with the signal's reason. */
  signal?: AbortSignal
}

/**
 * `forecast` in a thread of its own, so that a server keeps answering meanwhile. Rejects with what `forecast` throws,
 * with the abort's reason, or with the error that ended the thread (running out of its 512 MiB among them).
 */
export async function forecastInWorker(
  input: ForecastInput,
  { onProgress = () => {}, signal }: WorkerOptions = {},
): Promise<ForecastOutput> {
  signal?.throwIfAborted()
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: input,
    // Flags of the host (a test runner's, an inspector's port) are not the thread's.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  const { promise, resolve, reject } = Promise.withResolvers<ForecastOutput>()
  const stop = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  worker.on('error', reject)
  worker.on('exit', (code) => reject(new Error(`the forecast thread ended with code ${code} and no result`)))
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
