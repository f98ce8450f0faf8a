import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from './fault.ts'

const fullMs = 12_000

export const fillBrokerDisk: Fault = {
  name: 'broker-disk-full',
  title: 'no space on the disk of the broker; it is restarted when there is space again',
  seconds: 18,
  findObstacle: ({ brokerDisk }) => (brokerDisk === undefined ? 'needs the right to mount a file system' : undefined),
  async run({ nats, brokerDisk }) {
    brokerDisk?.fill()
    await pause(fullMs)
    brokerDisk?.free()
    await nats.kill('SIGTERM')
    await nats.restart()
    return `${fullMs / 1000} s without space`
  },
}
