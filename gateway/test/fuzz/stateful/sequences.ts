import { beforeAll, describe, expect, it } from '@jest/globals'
import type { TestFleet } from '@wp/testkit'
import fc from 'fast-check'
import { createApiDocument } from '../../access/api-document.ts'
import { createActors } from './actors.ts'
import { sequences } from './commands.ts'
import type { Model } from './model.ts'
import type { Platform } from './platform.ts'

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
  })
}
