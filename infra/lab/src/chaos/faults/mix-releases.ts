import { setTimeout as pause } from 'node:timers/promises'
import { signerNames } from '@wp/contracts'
import { type Member, startMemberProcess } from '@wp/testkit'
import type { Fault } from './fault.ts'

const periodMs = 6_000

/** As during a rollout or its end: half of the processes are of the previous release, then the other half. */
export const mixReleases: Fault = {
  name: 'releases',
  title: 'half of the processes of the previous release, then the other half',
  seconds: 55,
  findObstacle: ({ previous }) => (previous === undefined ? 'needs a checkout of the previous release' : undefined),
  async run({ fleet, previous }, random) {
    const order = random.shuffle(signerNames)
    const half = Math.ceil(order.length / 2)
    for (const names of [order.slice(0, half), order.slice(half)]) {
      const members: Member[] = []
      for (const name of names) {
        await fleet.member(name).stop()
        members.push(await startMemberProcess(name, fleet.env(name), previous))
      }
      await pause(periodMs)
      for (const [index, name] of names.entries()) {
        await members[index]?.stop()
        await fleet.restart(name)
      }
    }
    return `${half} and ${order.length - half} processes, ${periodMs / 1000} s each`
  },
}
