import { beforeAll, expect, it } from '@jest/globals'
import { eventually, type Nats, type TestFleet } from '@wp/testkit'
import type { IContainer } from 'kubernetes-models/v1'
import { consumersAt } from '../../src/nats/permissions.ts'
import { workloadsOf } from '../check/workloads.ts'
import { describeWithHelm, reason, renderEnvironment } from '../render-chart.ts'
import { prepareBroker, shard } from './start-broker.ts'

/** @param brokerOf returns the broker of the suite, whose storage is wiped, and its fleet, from the first test on */
export function describeRecovery(brokerOf: () => { nats: Nats; fleet: TestFleet }): void {
  describeWithHelm(`the CronJob prepare-broker${reason}`, () => {
    let nats: Nats
    let fleet: TestFleet
    beforeAll(() => {
      ;({ nats, fleet } = brokerOf())
    })

    async function containers(): Promise<IContainer[]> {
      const workloads = workloadsOf(await renderEnvironment('local'))
      return workloads.find(({ title }) => title === 'CronJob prepare-broker')?.spec.containers ?? []
    }

    /** Runs the containers of the CronJob at the same time, as its pod does. Returns what they print. */
    async function runCronJob(): Promise<string[]> {
      return Promise.all(
        (await containers()).map(({ command = [] }) => {
          const [program = '', ...args] = command.slice(1).map((arg) => arg.replaceAll('$(SHARD)', shard))
          return prepareBroker(nats, program, args)
        }),
      )
    }

    async function createVariable(name: string, token: string): Promise<void> {
      const { status } = await fleet.request('POST', '/v1/system/workspace/variables', {
        as: token,
        body: { name, value: 'x' },
      })
      expect([200, 201]).toContain(status)
    }

    async function isRecorded(name: string, token: string): Promise<boolean> {
      const { body } = await fleet.request('GET', '/v1/audit/logs?limit=100&action=workspace_variable.set', {
        as: token,
      })
      return JSON.stringify(body.data).includes(name)
    }

    it('covers every consumer', async () => {
      const prepared = (await containers()).flatMap(({ command = [] }) =>
        command.slice(2).map((arg) => arg.split('=', 1)[0]),
      )
      expect(prepared.sort()).toEqual([...consumersAt(shard).keys()].sort())
    })

    it('lets services receive events again, without a restart, after the broker lost its storage', async () => {
      const token = await fleet.token(fleet.owner)
      await createVariable('BEFORE', token)
      await eventually(() => isRecorded('BEFORE', token))

      await nats.restart({ wipe: true })
      await createVariable('AFTER', token)
      const first = await runCronJob()
      await eventually(() => isRecorded('AFTER', token))

      // A run that finds everything in place changes nothing.
      expect(await runCronJob()).toEqual(first)
      await createVariable('LATER', token)
      await eventually(() => isRecorded('LATER', token))
    })
  })
}
