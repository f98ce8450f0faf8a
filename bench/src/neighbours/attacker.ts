// Runs attacks on behalf of a hostile workspace, with its outside servers, in a process of its own.
import { serveCalls } from '../harness/helper-process.ts'
import type { AttackOutcome } from './attacks/attack.ts'
import { attacks } from './attacks/index.ts'
import type { Workspace } from './workspace.ts'

interface RunningAttack {
  controller: AbortController
  outcome: AttackOutcome
  ended: Promise<void>
}

let running: RunningAttack | undefined

function findAttack(name: string) {
  const attack = attacks[name]
  if (attack === undefined) throw new Error(`no attack ${name}`)
  return attack
}

serveCalls({
  prepare: ({ name, hostile }: { name: string; hostile: Workspace }) => findAttack(name).prepare?.(hostile),
  start({ name, hostile }: { name: string; hostile: Workspace }): void {
    const controller = new AbortController()
    const outcome: AttackOutcome = new Map()
    const ended = findAttack(name).run(hostile, outcome, controller.signal)
    ended.catch((error: unknown) => outcome.set(String(error), 1))
    running = { controller, outcome, ended }
  },
  async stop(): Promise<Record<string, number>> {
    running?.controller.abort()
    await running?.ended.catch(() => undefined)
    return Object.fromEntries(running?.outcome ?? [])
  },
})
