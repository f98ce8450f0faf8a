import { z } from 'zod'
import { id } from '../../core/shape/id.ts'
import { listQuery, text, timestamp } from '../../core/shape/shape.ts'

const ratings = ['up', 'down'] as const

export const NewFeedback = z
  .strictObject({ rating: z.enum(ratings), comment: text(2_000, 0).default('') })
  .meta({ id: 'NewFeedback' })

/** The opinion of a principal about the answer of a run. */
export const Feedback = z
  .object({
    run_id: id('run'),
    agent_id: id('agt').nullable(),
    rating: z.enum(ratings),
    comment: z.string(),
    created_by: z.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Feedback' })

export const feedbackQuery = listQuery({
  run_id: id('run').optional(),
  agent_id: id('agt').optional(),
  rating: z.enum(ratings).optional().meta({ description: 'Only ratings of this kind' }),
})
