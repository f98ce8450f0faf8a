import { beforeAll, describe, expect, it } from '@jest/globals'
import { integrations } from '@wp/contracts'
import type { TestFleet } from '@wp/testkit'
import fc from 'fast-check'
import { createApiDocument } from '../../access/api-document.ts'
import { createActors } from './actors.ts'
import { sequences } from './commands.ts'
import type { KnownResource, Model } from './model.ts'
import { findForeignData, findMissingRefusals, type Platform } from './platform.ts'

/** Fixed by default, so that a failure is caused by a change; `npm run lab -- fuzz` explores further. */
const seed = Number(process.env.WP_FUZZ_SEED ?? 20_260_105)
const numRuns = Number(process.env.WP_FUZZ_SEQUENCES ?? 6)
const maxCommands = 50

/** @param fleetOf returns the fleet of the suite, from the first test on */
export function describeSequences(fleetOf: () => TestFleet): void {
  describe('two workspaces that create, use and delete resources in any order', () => {
    let platform: Platform
    beforeAll(async () => {
      const actors = await createActors(fleetOf())
      platform = { actors, document: createApiDocument(), log: [], statuses: new Map() }
    })

    it(
      'get declared responses that are no server errors, and nothing of each other',
      async () => {
        await fc.assert(
          fc.asyncProperty(sequences(maxCommands), async (commands) => {
            platform.log.length = 0
            const setup = () => ({ model: { resources: new Map() } satisfies Model, real: platform })
            await fc.asyncModelRun(setup, commands)
          }),
          { numRuns, seed, endOnFailure: true },
        )
        const responses = [...platform.statuses].sort(([a], [b]) => a - b)
        process.stdout.write(`${numRuns} sequences, responses: ${JSON.stringify(Object.fromEntries(responses))}\n`)
        // Otherwise the sequences have tried nothing.
        for (const status of [200, 400, 404]) expect(platform.statuses.get(status)).toBeGreaterThan(0)
      },
      Math.max(300_000, numRuns * 60_000),
    )

    it('are seen when they get an id or name of each other, a foreign resource, or a deleted one', () => {
      const resource = (owner: 'A' | 'B'): KnownResource => ({
        owner,
        params: { integration_id: `int_01h455vb4pex5vsknk084sn02${owner.toLowerCase()}` },
        isDeleted: false,
      })
      const [own, other] = [resource('A'), resource('B')]
      const model: Model = { resources: new Map([['any', [own, other]]]) }
      const step = { definition: integrations.getIntegration, actor: 'A', target: own } as const
      const response = (body: unknown) => ({ status: 200, body, headers: new Headers() })
      const foreignIn = (body: unknown, sent = '') => findForeignData(model, platform, step, sent, response(body))
      const { integration_id: id } = other.params
      expect(foreignIn({ id, name: 'MarkB door' })).toEqual([
        'it contains markb of the other workspace',
        `it contains ${id} of the other workspace`,
      ])
      expect([foreignIn({ ...own.params, name: 'marka door' }), foreignIn({ id }, id)]).toEqual([[], []])
      const refusal = (target: KnownResource, status = 200) =>
        findMissingRefusals({ ...step, target }, { ...response({}), status })
      expect(refusal(other)).toEqual(['it succeeded for a resource of the other workspace'])
      expect(refusal({ ...own, isDeleted: true })).toEqual(['it returned a deleted resource'])
      expect([refusal(own), refusal(other, 404)]).toEqual([[], []])
    })
  })
}
