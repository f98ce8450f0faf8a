import { setTimeout as pause } from 'node:timers/promises'
import { type SignerName, serviceNames, signerNames } from '@wp/contracts'
import { findFreePort, type Member, startMemberProcess } from '@wp/testkit'
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

const mixedMs = 6_000

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
      await pause(mixedMs)
      for (const [index, name] of names.entries()) {
        await members[index]?.stop()
        await fleet.restart(name)
      }
    }
    return `${half} and ${order.length - half} processes, ${mixedMs / 1000} s each`
  },
}

/** The order of a rollout. */
const order: readonly SignerName[] = [...serviceNames, 'gateway']

/** A rollback and an upgrade: a process is stopped after its successor is ready and gets all new connections. */
export const replaceReleases: Fault = {
  name: 'upgrade',
  title: 'every process, one after another, replaced by one of the previous release, and by one of this release again',
  seconds: 120,
  isSeamless: true,
  findObstacle: ({ previous }) => (previous === undefined ? 'needs a checkout of the previous release' : undefined),
  async run({ fleet, fronts, previous }) {
    const older = new Map<SignerName, Member>()
    for (const name of order) {
      const [port, adminPort] = [await findFreePort(), await findFreePort()]
      const env = { ...fleet.env(name), PORT: `${port}`, ADMIN_PORT: `${adminPort}` }
      older.set(name, await startMemberProcess(name, env, previous))
      fronts.get(name)?.redirect(port)
      await fleet.member(name).stop()
    }
    for (const name of order) {
      await fleet.restart(name)
      fronts.get(name)?.redirect(Number(fleet.env(name).PORT))
      await older.get(name)?.stop()
    }
    return `${order.length} processes replaced, and again`
  },
}
