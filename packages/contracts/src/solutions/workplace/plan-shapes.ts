import { z } from 'zod'
import { boundedArray, withoutRepeats } from '../../core/shape/bounded.ts'
import { id } from '../../core/shape/id.ts'
import { resourceName } from '../../core/shape/resource-name.ts'
import { metadata, metadataPatch, timestamp } from '../../core/shape/shape.ts'
import { stale } from './forecast-shapes.ts'
import { weekdays } from './space-shapes.ts'

/** Floors of one plan. */
export const maxPlanFloors = 500

const minutes = (max: number) => z.int().min(0).max(max)
const people = z.int().min(1).max(10_000)

const parameters = {
  meal_share: z.number().min(0).max(1).describe('The share of people who eat'),
  cleaning_min_people: people.describe('A floor with fewer people is not cleaned'),
  cleaning_minutes_per_person: z.number().min(0).max(60).describe('Minutes of cleaning for each person on a floor'),
  climate_min_people: people.describe(
    'A floor is heated and ventilated from the first to the last hour with so many people',
  ),
  heating_lead_minutes: minutes(720).describe('Heat so long before the first such hour'),
  heating_lag_minutes: minutes(720).describe('Heat so long after the last such hour'),
  ventilation_lead_minutes: minutes(720).describe('Ventilate so long before the first such hour'),
  ventilation_lag_minutes: minutes(720).describe('Ventilate so long after the last such hour'),
}

/** The values of parameters that a schedule does not state. */
export const defaultPlanParameters = {
  meal_share: 0.6,
  cleaning_min_people: 1,
  cleaning_minutes_per_person: 1.5,
  climate_min_people: 5,
  heating_lead_minutes: 60,
  heating_lag_minutes: 0,
  ventilation_lead_minutes: 30,
  ventilation_lag_minutes: 30,
} as const

const NewPlanParameters = z
  .strictObject({
    meal_share: parameters.meal_share.default(defaultPlanParameters.meal_share),
    cleaning_min_people: parameters.cleaning_min_people.default(defaultPlanParameters.cleaning_min_people),
    cleaning_minutes_per_person: parameters.cleaning_minutes_per_person.default(
      defaultPlanParameters.cleaning_minutes_per_person,
    ),
    climate_min_people: parameters.climate_min_people.default(defaultPlanParameters.climate_min_people),
    heating_lead_minutes: parameters.heating_lead_minutes.default(defaultPlanParameters.heating_lead_minutes),
    heating_lag_minutes: parameters.heating_lag_minutes.default(defaultPlanParameters.heating_lag_minutes),
    ventilation_lead_minutes: parameters.ventilation_lead_minutes.default(
      defaultPlanParameters.ventilation_lead_minutes,
    ),
    ventilation_lag_minutes: parameters.ventilation_lag_minutes.default(defaultPlanParameters.ventilation_lag_minutes),
  })
  .meta({ id: 'NewPlanParameters' })

const PlanParameters = z.object(parameters).meta({ id: 'PlanParameters' })
export type PlanParameters = z.infer<typeof PlanParameters>

const days = withoutRepeats(boundedArray(z.enum(weekdays), weekdays.length, { min: 1 }), (day) => day)

const given = {
  name: resourceName(200).describe('Name for people'),
  local_time: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 06:00')
    .describe('Local time of the space at which the plan of the day is made'),
  weekdays: days.nullable().describe('Null: the weekdays on which the space is open'),
  enabled: z.boolean().describe('False: no plans are made by themselves'),
  scenario_id: id('scn')
    .nullable()
    .describe('A finished scenario: the floors that it frees on a weekday are kept closed on it'),
}

export const NewPlanSchedule = z
  .strictObject({
    ...given,
    space_id: id('spc').describe('A site or building, with one schedule at most'),
    local_time: given.local_time.default('06:00'),
    weekdays: given.weekdays.default(null),
    enabled: given.enabled.default(true),
    scenario_id: given.scenario_id.default(null),
    parameters: NewPlanParameters.default(defaultPlanParameters),
    metadata: metadata().default({}),
  })
  .meta({ id: 'NewPlanSchedule' })

export const PlanSchedulePatch = z.strictObject({
  ...z.strictObject(given).partial().shape,
  parameters: z.strictObject(parameters).partial().optional().describe('Members that are named change'),
  metadata: metadataPatch(),
})

export const PlanSchedule = z
  .object({
    id: id('pls'),
    space_id: id('spc'),
    ...given,
    name: z.string().describe('Name for people'),
    parameters: PlanParameters,
    timezone: z.string().describe('Of the space'),
    next_run_at: timestamp().nullable().describe('Null while it makes no plans'),
    metadata: z.record(z.string(), z.string()),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'PlanSchedule' })

export const planSchedulePath = z.object({ id: id('pls') })

/** The origins of an expected number of people. */
export const planSources = ['forecast', 'profile', 'rest_day'] as const

const Expectation = z
  .object({
    mean: z.number().describe('Mean number of people'),
    lower: z.number().nullable().describe('One in ten such days has fewer people'),
    upper: z.number().nullable().describe('One in ten such days has more people'),
    source: z
      .enum(planSources)
      .describe(
        '`forecast`: the run `forecast_run_id`. `profile`: the same weekday of the last 8 weeks. `rest_day`: a public ' +
          'holiday, or a weekday on which the space is not open',
      ),
    measure: z
      .enum(['attendance', 'peak'])
      .optional()
      .describe(
        '`attendance`: different people of the day. `peak`: the most people at a moment, where people counters see more ' +
          'of them than badges and lists name',
      ),
  })
  .meta({ id: 'PlanExpectation' })

const timeOfDay = z.string().meta({ description: 'Local time of day', examples: ['07:30'] })
const Window = z.object({ from: timeOfDay, to: timeOfDay }).meta({ id: 'PlanWindow' })

const expectedFields = {
  capacity: z.int().nullable().describe('People who can be there at a moment; null if it is not known'),
  expected: Expectation.nullable().describe('People of the day, by its `measure`; null without figures'),
  hours: z
    .array(
      z.object({
        start: timeOfDay,
        people: z.number().nullable().describe('Mean number of people in the hour'),
      }),
    )
    .describe('The mean number of people there in each hour; null if it is withheld or not measured'),
  peak: z
    .object({ start: timeOfDay, people: z.number().describe('Mean number of people in that hour') })
    .nullable()
    .describe('The fullest hour'),
}

const PlanFloor = z
  .object({
    space_id: id('spc'),
    name: z.string().describe('Name of the floor'),
    ...expectedFields,
    is_closed: z.boolean().describe('True if the plan keeps the floor closed'),
    moved_people: z
      .number()
      .optional()
      .describe('People of closed floors who sit here, besides `expected`; negative: those of it who sit elsewhere'),
    advice: z.string().describe('One sentence'),
    heating: Window.nullable().describe('When to heat; null: not at all'),
    ventilation: Window.nullable().describe('When to ventilate; null: not at all'),
    cleaning_minutes: z.int().nullable().describe('Null: it needs no cleaning'),
  })
  .meta({ id: 'PlanFloor' })

export const planActionKinds = ['close', 'watch', 'cater', 'heat', 'ventilate', 'clean'] as const

/** Something to do on the day of a plan. */
export const PlanAction = z.object({
  kind: z.enum(planActionKinds).describe('What to do: close, watch, cater, heat, ventilate or clean'),
  text: z.string().describe('The same in words, with places and numbers'),
})

const difference = {
  expected: z
    .number()
    .nullable()
    .describe('People that the plan expected, by its `measure`; null if it had no figures'),
  actual: z.number().nullable().describe('People by the same measure; null if withheld, or not known yet'),
  error: z.number().nullable().describe('`actual` less `expected`'),
  suppressed: z.boolean().describe('True if `actual` is withheld because it could tell about too few people'),
}

const Comparison = z
  .object({
    plan_id: id('dpl'),
    date: z.iso.date().describe('Local day of the compared plan'),
    ...difference,
    floors: z
      .array(z.object({ space_id: id('spc'), name: z.string().describe('Name of the floor'), ...difference }))
      .describe('The same of each floor'),
    conclusion: z.string().describe('One or two sentences'),
    wape: z.number().nullable().describe('Of the last 20 plans: the sum of absolute errors over the people who came'),
    wape_floors: z.number().nullable().describe('The same, of every floor'),
    plans: z.int().describe('Plans that `wape` is made of'),
  })
  .meta({ id: 'PlanComparison' })

const arithmetic = z.string().describe('The calculation in words and numbers')
const Running = z.object({ floor_hours: z.number().describe('Sum of the hours over the floors'), arithmetic })

const planFields = {
  id: id('dpl'),
  plan_schedule_id: id('pls'),
  space_id: id('spc'),
  space_name: z.string().describe('Name of the site or building when the plan was made'),
  date: z.iso.date().describe('Local day of the space'),
  title: z.string().describe('Day, place and expected people in a line'),
  headline: z.string().describe('One sentence'),
  created_at: timestamp(),
}

export const WorkplacePlan = z.object(planFields).meta({ id: 'WorkplacePlan' })

export const PlanContent = z.object({
  timezone: z.string().describe('Time zone of the times of day'),
  rest_day: z
    .object({
      reason: z.enum(['holiday', 'not_open']).describe('A public holiday, or a weekday on which the space is not open'),
      name: z.string().nullable().describe('Name of the holiday; null without one'),
    })
    .nullable()
    .describe('Why the day is a day off; null on a working day'),
  ...expectedFields,
  forecast_run_id: id('fr')
    .nullable()
    .describe('The run whose figures the space has, else one of its floors; null without one'),
  floors: z.array(PlanFloor).describe('The plan of each floor'),
  meals: z
    .object({
      expected: z.int().describe('Meals for the expected people'),
      at_most: z
        .int()
        .nullable()
        .describe('Meals for as many people as come on one day in ten; null if it is not known'),
      arithmetic,
    })
    .nullable()
    .describe('Meals to order; null if it is not known how many people come'),
  cleaning: z
    .object({
      minutes: z.int().describe('Minutes of all floors'),
      floors: z.int().describe('Floors that need cleaning'),
      arithmetic,
    })
    .describe('Cleaning of all floors'),
  heating: Running.describe('Heating of all floors'),
  ventilation: Running.describe('Ventilation of all floors'),
  actions: z.array(PlanAction).describe('Things to do today, a sentence or two each'),
  warnings: z.array(z.string()).describe('What the plan does not know, in sentences'),
})
export type PlanContent = z.infer<typeof PlanContent>

export const WorkplacePlanDetail = z
  .object({
    ...planFields,
    ...PlanContent.shape,
    stale,
    previous: Comparison.nullable().describe(
      'The plan before this one and the people who came, with the figures and the privacy threshold of now; null without one',
    ),
  })
  .meta({ id: 'WorkplacePlanDetail' })

export const planPath = z.object({ id: id('dpl') })
