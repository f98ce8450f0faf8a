/** A worker thread of `ForecastThreads`: does one task for each message and answers with `ThreadMessage`s. */
import { constants, getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { ForecastInputError } from '../errors.ts'
import type { ThreadMessage } from './forecast-thread.ts'
import { perform, type ThreadTask, transferOf } from './thread-task.ts'

/**
 * Lets the event loop, and in the local fleet every other service, run before forecasts. On Linux a priority belongs to
 * the thread; elsewhere it would be that of the process. It can only be lowered.
 */
function lowerPriority(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority
  if (process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
}

const send = (message: ThreadMessage, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer)

function answer(task: ThreadTask): void {
  try {
    const output = perform(task, (fraction) => send({ kind: 'progress', fraction }))
    send({ kind: 'finished', output }, transferOf(output))
  } catch (error) {
    // Errors lose their class between threads, so the typed one is sent as data; others become the thread's error
    // event.
    if (!(error instanceof ForecastInputError)) throw error
    send({ kind: 'refused', code: error.code, message: error.message })
  }
}

lowerPriority()
parentPort?.on('message', answer)
