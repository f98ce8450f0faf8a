import { setTimeout as pause } from 'node:timers/promises'
import type { SignerName } from '@wp/contracts'
import type { Nats, Postgres, TestFleet } from '@wp/testkit'
import type { Random } from '../random.ts'

/** Targets of a kill: a process, a server, or all of them at once. */
const targets = ['webhook-delivery', 'audit', 'gateway', 'broker', 'postgres', 'everything'] as const
type Target = (typeof targets)[number]

const members: readonly SignerName[] = ['auth', 'audit', 'webhook-delivery', 'gateway']

export interface KilledFleet {
  fleet: TestFleet
  nats: Nats
  postgres: Postgres
}

/** Returns which targets are killed, in order: each as often as the others. */
export const planKills = (rounds: number, random: Random): Target[] =>
  Array.from({ length: rounds }, () => random.shuffle(targets)).flat()

const longestOutageMs = 1_000

/** Kills a target with SIGKILL, and starts it again after a while. */
export async function killAndRestart({ fleet, nats, postgres }: KilledFleet, target: Target, random: Random) {
  const outageMs = random.between(0, longestOutageMs)
  switch (target) {
    case 'broker':
      await nats.kill('SIGKILL')
      await pause(outageMs)
      return nats.restart()
    case 'postgres':
      await postgres.kill('SIGKILL')
      await pause(outageMs)
      return postgres.restart()
    case 'everything':
      await Promise.all([
        ...members.map((name) => fleet.member(name).kill('SIGKILL')),
        nats.kill('SIGKILL'),
        postgres.kill('SIGKILL'),
      ])
      await pause(outageMs)
      await Promise.all([nats.restart(), postgres.restart()])
      await Promise.all(members.map((name) => fleet.restart(name)))
      return
    default:
      await fleet.member(target).kill('SIGKILL')
      await pause(outageMs)
      return fleet.restart(target)
  }
}
