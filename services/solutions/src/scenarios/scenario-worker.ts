/** A worker thread that solves one scenario for each message. */
import { answerMessages } from '../answer-messages.ts'
import { loadSolver } from '../privacy/audit-lattice.ts'
import { TimeLimitError } from './model/program.ts'
import { scenarioResult } from './result/scenario-result.ts'
import type { ScenarioInput } from './scenario-input.ts'
import type { ScenarioResult } from './scenario-job.ts'
import { solveScenario } from './solve-scenario.ts'

const solver = await loadSolver()

answerMessages((input: ScenarioInput): ScenarioResult | null => {
  try {
    return scenarioResult(input, solveScenario(solver, input))
  } catch (error) {
    if (error instanceof TimeLimitError) return null
    throw error
  }
})
