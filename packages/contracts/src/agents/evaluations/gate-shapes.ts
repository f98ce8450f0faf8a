import { z } from 'zod'
import { id } from '../../core/shape/id.ts'

const minPassRate = z.number().min(0).max(1).describe('Least share of the cases that must pass')
const noRegressions = z
  .boolean()
  .describe('Every case that passes with the active version must pass. The active version needs an evaluation too')

/** The condition for a version of an agent to become the active one. */
export const EvaluationGate = z
  .object({ evaluation_set_id: id('evs'), min_pass_rate: minPassRate, no_regressions: noRegressions })
  .meta({ id: 'EvaluationGate' })
export type EvaluationGate = z.output<typeof EvaluationGate>

export const NewEvaluationGate = z
  .strictObject({
    evaluation_set_id: id('evs'),
    min_pass_rate: minPassRate.default(1),
    no_regressions: noRegressions.default(true),
  })
  .meta({ id: 'NewEvaluationGate' })
