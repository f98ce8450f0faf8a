import { pause } from '@wp/runtime'
import { z } from 'zod'

/** A model should not spend its steps on asking again and again: a call waits for the end. */
const [defaultWaitSeconds, maxWaitSeconds, pollMs] = [20, 25, 500]

export const waitSeconds = () => z.int().min(0).max(maxWaitSeconds).default(defaultWaitSeconds)

/** Reads a run until it has ended, or the time is over. @throws the reason of the signal */
export async function waitForEnd<Run extends { status: string }>(
  read: () => Promise<Run>,
  seconds: number,
  signal: AbortSignal,
): Promise<Run> {
  let run = await read()
  for (let waitedMs = 0; isRunning(run) && waitedMs < seconds * 1_000; waitedMs += pollMs) {
    await pause(pollMs, signal)
    signal.throwIfAborted()
    run = await read()
  }
  return run
}

const isRunning = ({ status }: { status: string }): boolean => status === 'queued' || status === 'running'
