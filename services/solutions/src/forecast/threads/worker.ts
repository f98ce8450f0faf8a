/** A worker thread of `ForecastThreads`: forecasts one series for each message and answers with `ThreadMessage`s. */
import { constants, getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { ForecastInputError } from '../errors.ts'
import { forecast } from '../forecast.ts'
import type { ForecastInput } from '../shapes.ts'
import type { ThreadMessage } from './forecast-thread.ts'

/**
 * Lets the event loop, and in the local fleet every other service, run before forecasts. On Linux a priority belongs to
 * the thread; elsewhere it would be that of the process. It can only be lowered.
 */
function lowerPriority(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority
  if (process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
}

const send = (message: ThreadMessage): void => parentPort?.postMessage(message)

function answer(input: ForecastInput): void {
  try {
    send({ kind: 'finished', output: forecast(input, (fraction) => send({ kind: 'progress', fraction })) })
  } catch (error) {
    // Errors lose their class between threads, so the typed one is sent as data; others become the thread's error
    // event.
    if (!(error instanceof ForecastInputError)) throw error
    send({ kind: 'refused', code: error.code, message: error.message })
  }
}

lowerPriority()
parentPort?.on('message', answer)
