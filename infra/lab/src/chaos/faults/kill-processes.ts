import { setTimeout as pause } from 'node:timers/promises'
import { signerNames } from '@wp/contracts'
import type { Fault } from './fault.ts'

export const killProcesses: Fault = {
  name: 'kill',
  title: 'SIGKILL of every service and of the edge in turn, in random order',
  seconds: 45,
  async run({ fleet }, random) {
    const order = random.shuffle(signerNames)
    for (const name of order) {
      await pause(random.between(100, 600))
      await fleet.member(name).kill('SIGKILL')
      await pause(random.between(100, 600))
      await fleet.restart(name)
    }
    return `${order.length} processes killed`
  },
}
