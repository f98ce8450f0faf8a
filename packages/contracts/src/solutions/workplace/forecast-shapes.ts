import { z } from 'zod'
import { id } from '../../core/shape/id.ts'
import { spaceKinds } from './space-shapes.ts'

/** Days ahead of a forecast of the workplace. */
export const maxWorkplaceHorizon = 90
/** Dates of one list. */
const maxDates = 500

const dates = z.array(z.iso.date()).max(maxDates).default([])

/** The part of the workplace that a run forecasts. */
export const WorkplaceForecast = z
  .strictObject({
    space_id: id('spc').optional().describe('The space to begin with; default: all without one around them'),
    team_id: id('team').optional().describe('The team to begin with; default: all without one around them'),
    level: z
      .enum([...spaceKinds, 'team'])
      .describe('The level down to which spaces are forecast, those around them included; or `team` for teams'),
    measure: z
      .enum(['attendance', 'peak'])
      .default('attendance')
      .describe('`attendance`: different people of a day. `peak`: the most people at a moment, of spaces'),
    holidays: z
      .strictObject({
        add: dates.describe('Local dates that are holidays besides'),
        remove: dates.describe('Local dates that are no holidays here'),
      })
      .optional()
      .describe(
        'Changes of the public holidays, which are those of the country and subdivision of each space: local dates that are ' +
          'holidays besides, and dates that are none here',
      ),
    use_bookings: z
      .boolean()
      .default(true)
      .describe('Use the bookings already made of each space where they improve the backtest'),
  })
  .superRefine(({ space_id: spaceId, team_id: teamId, level, measure }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    if (spaceId !== undefined && teamId !== undefined) refuse('team_id', 'must not be given beside space_id')
    else if (spaceId !== undefined && level === 'team') refuse('level', 'must be a kind of space with space_id')
    else if (teamId !== undefined && level !== 'team') refuse('level', 'must be team with team_id')
    if (level === 'team' && measure === 'peak') refuse('measure', 'of teams must be attendance')
  })

const contribution = {
  wape_with: z.number().nullable().describe('The error of the backtest with it; null if undefined'),
  wape_without: z.number().nullable().describe('The error of the backtest without it'),
  used: z.boolean().describe('True if the forecast has it'),
}

/** The members that only series of a forecast of the workplace have. */
export const workplaceSeriesFields = {
  covariates: z
    .array(z.object({ name: z.string().describe('What is known, such as `bookings`'), ...contribution }))
    .optional()
    .describe('Of a forecast of the workplace: what is known of the days to come, such as `bookings`'),
  holidays: z
    .object({
      dates: z
        .array(
          z.object({
            date: z.iso.date().describe('Local date'),
            name: z.string().describe('Name of the holiday'),
          }),
        )
        .describe('Holidays among the forecast days'),
      ...contribution,
    })
    .optional()
    .describe('Of a forecast of the workplace: the holidays among its days, and what knowing holidays earns'),
}

/** The member of a result whose data may have been deleted. */
export const stale = z
  .boolean()
  .optional()
  .describe('True if a dataset on which it rests was deleted since it was made: its figures rest on data that is gone')

/** The members that only runs over the workplace have. */
export const workplaceRunFields = {
  history_until: z.iso.date().optional().describe('The last day of the history, of a run over the workplace'),
  coherent: z
    .literal(true)
    .optional()
    .describe(
      'Of a run over the workplace: on each day, the mean of a series is the sum of those directly in it and of its `remainder`',
    ),
  left_out: z
    .array(
      z.object({
        key: z.record(z.string(), z.string()).describe('The space or team'),
        reason: z
          .enum(['privacy', 'too_short', 'no_data'])
          .describe('Figures about too few people, too few days, or no data at all'),
        detail: z.string().describe('The reason in words'),
      }),
    )
    .optional()
    .describe('Spaces or teams without a series of their own; what is around them still contains them'),
  warnings: z.array(z.string()).optional().describe('About the run as a whole, of one over the workplace'),
  stale,
}
