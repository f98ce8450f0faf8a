import { globSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { SignerName } from '@wp/contracts'
import type { Fault } from './fault.ts'

const library = globSync('/usr/lib/{*-linux-gnu/,}faketime/libfaketimeMT.so.1')[0]
const periodMs = 4_000
const offsets = ['+1h', '-1h'] as const

/** Runs one process with a wrong clock. Intervals remain right, as they are on a machine with a wrong clock. */
const skewClock = (service: SignerName): Fault => ({
  name: `clock-${service}`,
  title: `the clock of ${service} an hour ahead, then an hour behind`,
  seconds: 18,
  findObstacle: () => (library === undefined ? 'needs libfaketime, of the Debian package with this name' : undefined),
  async run({ fleet }) {
    for (const offset of offsets) {
      await fleet.member(service).stop()
      const settings = { LD_PRELOAD: library ?? '', FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
      await fleet.restart(service, settings)
      await pause(periodMs)
    }
    await fleet.member(service).stop()
    await fleet.restart(service, { LD_PRELOAD: '', FAKETIME: '' })
    return `${offsets.join(' and ')}, ${periodMs / 1000} s each`
  },
})

export const skewDeliveryClock = skewClock('webhook-delivery')
export const skewDataClock = skewClock('data')
export const skewAuthClock = skewClock('auth')
