import { id, solutions } from '@wp/contracts'
import { pause } from '@wp/runtime'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { requireAllSources } from '../tool.ts'
import { summarizeScenario } from './summarize-scenario.ts'

/** Most scenarios are solved within seconds. */
const [defaultWaitSeconds, maxWaitSeconds, pollMs] = [20, 25, 500]

const input = z.strictObject({
  scenario_id: id('scn'),
  wait_seconds: z
    .int()
    .min(0)
    .max(maxWaitSeconds)
    .default(defaultWaitSeconds)
    .describe('Waits so long for a scenario that has not ended'),
})

export const readScenario = (internal: InternalCalls) =>
  defineTool({
    name: 'read_scenario',
    description:
      'Reads a scenario: its conclusion, the floors that can close, the saving of a year with its arithmetic, the risk that someone has no place, and what stands in the way. Waits for one that has not ended. State only figures that are in it.',
    input,
    requiredScopes: ['solutions:read'],
    async run({ scenario_id: scenarioId, wait_seconds: waitSeconds }, call) {
      requireAllSources(call)
      const read = () => internal.call(solutions.getScenario, call.caller, { params: { id: scenarioId } })
      let scenario = await read()
      for (let waitedMs = 0; isRunning(scenario) && waitedMs < waitSeconds * 1_000; waitedMs += pollMs) {
        await pause(pollMs, call.signal)
        call.signal.throwIfAborted()
        scenario = await read()
      }
      return { output: summarizeScenario(scenario) }
    },
  })

const isRunning = ({ status }: { status: string }): boolean => status === 'queued' || status === 'running'
