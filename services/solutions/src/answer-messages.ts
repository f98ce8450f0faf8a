import { constants, getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** Answers each message of `WorkerThread.run` in a worker thread of low priority. */
export function answerMessages<Input, Output>(compute: (input: Input) => Output): void {
  // On Linux a priority belongs to the thread: requests come first. It can only be lowered.
  const { PRIORITY_BELOW_NORMAL } = constants.priority
  if (process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
  parentPort?.on('message', (input: Input) => parentPort?.postMessage(compute(input)))
}
