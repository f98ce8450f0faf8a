/** The thread side of `forecastInWorker`: takes the input at its start, speaks in `WorkerMessage`s, and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { ForecastInputError } from './errors.ts'
import { forecast } from './forecast.ts'
import type { WorkerMessage } from './run-in-worker.ts'
import type { ForecastInput } from './shapes.ts'

const say = (message: WorkerMessage): void => parentPort?.postMessage(message)

try {
  // `forecastInWorker` is the only one to start this file, and gives it its own typed input.
  const input = workerData as ForecastInput
  say({ kind: 'finished', output: forecast(input, (fraction) => say({ kind: 'progress', fraction })) })
} catch (error) {
  // Only plain data crosses threads whole; anything but the typed error goes the way of uncaught ones.
  if (!(error instanceof ForecastInputError)) throw error
  say({ kind: 'refused', code: error.code, message: error.message })
}
