import { z } from 'zod'
import { id } from '../../core/shape/id.ts'

/** The condition for a version of an agent to become the active one. */
export const EvaluationGate = z
  .strictObject({
    evaluation_set_id: id('evs'),
    min_pass_rate: z.number().min(0).max(1).default(1).meta({
      description: 'Least share of the cases that must pass',
    }),
    no_regressions: z.boolean().default(true).meta({
      description:
        'Every case that passes with the active version must pass. The active version needs an evaluation too',
    }),
  })
  .meta({ id: 'EvaluationGate' })
export type EvaluationGate = z.output<typeof EvaluationGate>
