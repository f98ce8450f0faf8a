import { type SignerName, serviceNames } from '@wp/contracts'
import { findFreePort, type Member, startMemberProcess } from '@wp/testkit'
import type { Fault } from './fault.ts'

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
