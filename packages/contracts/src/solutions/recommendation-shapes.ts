import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { timestamp } from '../core/shape/shape.ts'

export const recommendationStates = ['open', 'accepted', 'dismissed'] as const
export const recommendationKinds = ['underused_weekday', 'consolidation', 'capacity_alert', 'service_level'] as const

const Figures = z.record(z.string(), z.union([z.number(), z.string()]))

const Window = z
  .object({
    from: timestamp().describe('Start of the first day'),
    until: timestamp().describe('End of the last day, not included'),
    weekdays: z.array(z.string()).describe('Weekdays in English, in lower case; empty for whole weeks'),
  })
  .describe('The days of these weekdays from `from` on and before `until`; without weekdays, the weeks between them')

const ExpectedEffect = z.object({
  description: z.string().describe('The effect, in a sentence'),
  quantity: z.number().describe('The effect as a number in `unit`'),
  unit: z
    .enum(['days_per_week', 'over_capacity', 'meals_per_week'])
    .describe('Days a week that close, people over the capacity, or meals a week'),
})

/** The saving of a recommendation in a year; null where that is not known. */
export const recommendedSaving = z
  .object({
    amount: z.int().describe('In minor units'),
    currency: z.string().describe('Currency by ISO 4217'),
  })
  .nullable()

const FollowUp = z
  .object({
    status: z.enum(['pending', 'happened', 'did_not_happen', 'unknown']).describe('`pending` until it can be checked'),
    checked_at: timestamp().nullable().describe('When it was checked; null until then'),
    figures: Figures.describe('The numbers that decided it, by name'),
  })
  .describe(
    'Only of an accepted recommendation: did it happen? It is checked by the first run of the same group whose values ' +
      'cover the window; with a `scenario_id`, by the first forecast of all teams or floors whose history covers the 28 days after it was ' +
      'accepted. `unknown`: none of its days has values',
  )

export const Recommendation = z
  .object({
    id: id('rcm'),
    forecast_run_id: id('fr').describe('The run that made the recommendation'),
    last_forecast_run_id: id('fr').describe('The last run that found it again'),
    kind: z
      .enum(recommendationKinds)
      .describe(
        '`consolidation`: a group, or floors of a site, can be closed, or opened in part, on some weekdays. `capacity_alert`: ' +
          'the forecast reaches the capacity. `service_level`: catering and cleaning by expected attendance. `underused_weekday`: the former name ' +
          'of a consolidation without a move',
      ),
    key: z
      .record(z.string(), z.string())
      .describe('The group of the forecast that it is about, as the `key` of its series'),
    title: z.string().describe('The recommendation in a line'),
    rationale: z.string().describe('Why it is recommended, with the figures, in sentences'),
    figures: Figures.describe('The numbers behind it, by name; they differ by kind'),
    window: Window.nullable().describe('When it applies; null if it has no time'),
    expected_effect: ExpectedEffect.nullable().describe('What follows if it is done; null if it is not known'),
    confidence: z.number().nullable().describe('The probability, 0 to 1, that what the recommendation assumes is true'),
    saving: recommendedSaving.describe('Of a year, with the arithmetic in the scenario; null where no costs are known'),
    scenario_id: id('scn').nullable().describe('The scenario that proves it; null if there is none'),
    follow_up: FollowUp.nullable().describe('Follow-up of an accepted recommendation; null of any other'),
    status: z.enum(recommendationStates).describe('`open` until you accept or dismiss it'),
    warnings: z
      .array(z.string())
      .optional()
      .describe('Of an open one: what its data lacks, such as a dataset that was deleted since, or rows not read yet'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Recommendation' })
