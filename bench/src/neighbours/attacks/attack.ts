import { setTimeout as pause } from 'node:timers/promises'
import { reasonOf } from '../../harness/open-loop.ts'
import { sendOk, type Workspace } from '../../harness/workspace.ts'

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

/**
 * Repeats a request, numbered from 1, in parallel until the signal is aborted. Rejected requests are repeated after a
 * pause, as an attacker on the same machine must leave some processor time to the others.
 */
export async function flood(
  concurrency: number,
  signal: AbortSignal,
  outcome: AttackOutcome,
  request: (serial: number) => Promise<{ status: number }>,
): Promise<void> {
  let serial = 0
  const repeat = async () => {
    while (!signal.aborted) {
      serial += 1
      const status = await request(serial).then(
        (response) => response.status,
        (error: unknown) => (signal.aborted ? 'aborted' : reasonOf(error)),
      )
      outcome.set(String(status), (outcome.get(String(status)) ?? 0) + 1)
      if (typeof status !== 'number' || status >= 400) await pause(50)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, repeat))
}

/** Creates a source with records that are keyed by `id`. @returns its id */
export async function createSource(hostile: Workspace, provider: string, config: object = {}): Promise<string> {
  const body = { name: provider, provider, config: { ...config, key: 'id' } }
  return (await sendOk(hostile, 'POST', '/v1/data/sources', { body })).data_source_id
}
