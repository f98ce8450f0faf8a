import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestFleet } from '@wp/testkit'
import fc from 'fast-check'
import { accessEnvironment } from '../access/access-fixtures.ts'
import { createApiDocument } from '../access/api-document.ts'
import { removeRateLimits } from './rate-limits.ts'
import { createActors } from './stateful/actors.ts'
import { sequences } from './stateful/commands.ts'
import type { Model } from './stateful/model.ts'

/** Fixed by default, so that a failure is caused by a change; `npm run lab -- fuzz` explores further. */
const seed = Number(process.env.WP_FUZZ_SEED ?? 20_260_105)
const numRuns = Number(process.env.WP_FUZZ_SEQUENCES ?? 12)
const maxCommands = 50

const fleet = await startTestFleet({ env: accessEnvironment })
await removeRateLimits(fleet)
const platform = { actors: await createActors(fleet), document: createApiDocument(), log: [], statuses: new Map() }
afterAll(() => fleet.stop())

describe('two workspaces that create, use and delete resources in any order', () => {
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
