import { setTimeout as pause } from 'node:timers/promises'
import type { Workspace } from '../../harness/workspace.ts'

/** Name of an action of the quiet workspace during an attack. */
export type ProbeName = 'requests' | 'sync' | 'forecast' | 'delivery' | 'authentication'

/** An attack by a hostile workspace. */
export interface Attack {
  probe: ProbeName
  /** Creates the resources of the attack. */
  prepare?(hostile: Workspace): Promise<void>
  /** Attacks until the signal is aborted, and records what became of its requests. */
  run(hostile: Workspace, outcome: AttackOutcome, signal: AbortSignal): Promise<void>
}

/** Counts responses by status or problem code. */
export type AttackOutcome = Map<string, number>

export function count(outcome: AttackOutcome, result: string | number): void {
  outcome.set(String(result), (outcome.get(String(result)) ?? 0) + 1)
}

/**
 * Repeats a request in parallel until the signal is aborted. Rejected requests are repeated after a pause, as an
 * attacker on the same machine must leave some processor time to the others.
 */
export async function flood(
  concurrency: number,
  signal: AbortSignal,
  outcome: AttackOutcome,
  request: () => Promise<{ status: number }>,
): Promise<void> {
  const repeat = async () => {
    while (!signal.aborted) {
      const status = await request().then(
        (response) => response.status,
        (error: unknown) => (signal.aborted ? 'aborted' : error instanceof Error ? error.name : 'error'),
      )
      count(outcome, status)
      if (typeof status !== 'number' || status >= 400) await pause(50)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, repeat))
}

/** Waits until the signal is aborted. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
