import { z } from 'zod'
import { id } from '../../core/shape/id.ts'
import { listQuery, text, timestamp } from '../../core/shape/shape.ts'

const ratings = ['up', 'down'] as const

export const NewFeedback = z
  .strictObject({
    rating: z.enum(ratings).describe('`up` for a good answer, `down` for a bad one'),
    comment: text(2_000, 0).default('').describe('What was good or bad, in words'),
  })
  .meta({ id: 'NewFeedback' })

/** The opinion of a principal about the answer of a run. */
export const Feedback = z
  .object({
    run_id: id('run'),
    agent_id: id('agt').nullable().describe('The agent that answered; null for a chat without an agent'),
    rating: z.enum(ratings).describe('`up` for a good answer, `down` for a bad one'),
    comment: z.string().describe('What was good or bad, in words; empty without a comment'),
    created_by: z.string().describe('The principal that gave it'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Feedback' })

export const feedbackQuery = listQuery({
  run_id: id('run').optional(),
  agent_id: id('agt').optional(),
  rating: z.enum(ratings).optional().describe('Only ratings of this kind'),
})
