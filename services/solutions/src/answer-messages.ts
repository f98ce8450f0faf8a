import { constants, getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** A message of a thread: the progress of what it computes, from 0 to 1, or the result. */
export type ThreadMessage<Output> = { progress: number } | { output: Output }

/**
 * Answers each message of `WorkerThread.run` in a worker thread of low priority.
 * @param transferOf returns the buffers of a result that are moved to the other thread instead of copied
 */
export function answerMessages<Input, Output>(
  compute: (input: Input, onProgress: (fraction: number) => void) => Output,
  transferOf: (output: Output) => ArrayBuffer[] = () => [],
): void {
  const send = (message: ThreadMessage<Output>, transfer: ArrayBuffer[] = []) =>
    parentPort?.postMessage(message, transfer)
  // On Linux a priority belongs to the thread: requests come first. Elsewhere it would be that of the process. It can
  // only be lowered.
  const { PRIORITY_BELOW_NORMAL } = constants.priority
  if (process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
  parentPort?.on('message', (input: Input) => {
    const output = compute(input, (progress) => send({ progress }))
    send({ output }, transferOf(output))
  })
}
