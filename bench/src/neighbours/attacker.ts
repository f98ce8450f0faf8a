// Attacks in a process of its own, so that its work does not delay the measurement.
import { serveCalls } from '../harness/helper-process.ts'
import type { Workspace } from '../harness/workspace.ts'
import type { AttackOutcome } from './attacks/attack.ts'
import { attacks } from './attacks/index.ts'

let running: { controller: AbortController; outcome: AttackOutcome; ended: Promise<void> } | undefined

interface AttackCall {
  name: keyof typeof attacks
  hostile: Workspace
}

serveCalls({
  prepare: ({ name, hostile }: AttackCall) => attacks[name].prepare?.(hostile),
  start({ name, hostile }: AttackCall): void {
    const controller = new AbortController()
    const outcome: AttackOutcome = new Map()
    const ended = attacks[name].run(hostile, outcome, controller.signal)
    ended.catch((error: unknown) => outcome.set(String(error), 1))
    running = { controller, outcome, ended }
  },
  async stop(): Promise<Record<string, number>> {
    running?.controller.abort()
    await running?.ended.catch(() => undefined)
    return Object.fromEntries(running?.outcome ?? [])
  },
})
