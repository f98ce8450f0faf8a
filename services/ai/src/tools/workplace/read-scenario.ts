import { id, solutions } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { requireAllSources } from '../tool.ts'
import { waitForEnd, waitSeconds } from '../wait-for-end.ts'
import { summarizeScenario } from './summarize-scenario.ts'

const input = z.strictObject({
  scenario_id: id('scn'),
  wait_seconds: waitSeconds().describe('Waits so long for a scenario that has not ended'),
})

export const readScenario = (internal: InternalCalls) =>
  defineTool({
    name: 'read_scenario',
    description:
      'Reads a scenario: its conclusion, the floors that can close, the saving of a year with its arithmetic, the risk that someone has no place, and what stands in the way. Waits for one that has not ended. State only figures that are in it.',
    input,
    requiredScopes: ['solutions:read'],
    async run({ scenario_id: scenarioId, wait_seconds: seconds }, call) {
      requireAllSources(call)
      const read = () => internal.call(solutions.getScenario, call.caller, { params: { id: scenarioId } })
      return { output: summarizeScenario(await waitForEnd(read, seconds, call.signal)) }
    },
  })
