import { cpSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from './fault.ts'

const outageMs = 20_000
const lostMs = 6_000

export const stopBroker: Fault = {
  name: 'broker-stopped',
  title: 'the broker stopped and started again',
  seconds: 24,
  async run({ nats }) {
    await nats.kill('SIGTERM')
    await pause(outageMs)
    await nats.restart()
    return `${outageMs / 1000} s without the broker`
  },
}

export const wipeBroker: Fault = {
  name: 'broker-wiped',
  title: 'the broker restarted without its storage',
  seconds: 8,
  async run({ nats }, random) {
    await pause(random.between(2_000, 4_000))
    await nats.kill('SIGKILL')
    await nats.restart({ wipe: true })
    return 'all streams lost'
  },
}

/** The operating system keeps what a killed process has written, so the lost writes are those since a copy. */
export const cutBrokerPower: Fault = {
  name: 'broker-power-cut',
  title: 'the broker killed, and its storage set back to that of some seconds before',
  seconds: 14,
  async run({ nats }) {
    const data = join(nats.storeDir ?? '', 'data')
    const copy = join(tmpdir(), `wp-chaos-copy-${process.pid}`)
    await nats.kill('SIGSTOP')
    cpSync(data, copy, { recursive: true })
    await nats.kill('SIGCONT')
    await pause(lostMs)
    await nats.kill('SIGKILL')
    rmSync(data, { recursive: true })
    cpSync(copy, data, { recursive: true })
    rmSync(copy, { recursive: true })
    await nats.restart()
    return `${lostMs / 1000} s of acknowledged messages lost`
  },
}
