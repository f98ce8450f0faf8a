import { z } from 'zod'
import { boundedArray } from '../../core/shape/bounded.ts'
import { id } from '../../core/shape/id.ts'
import { readerLocale } from '../../core/shape/locale.ts'
import { resourceName } from '../../core/shape/resource-name.ts'
import { jobFields, metadata, text } from '../../core/shape/shape.ts'
import { stale } from './forecast-shapes.ts'
import { weekdays } from './space-shapes.ts'

/** Changes of one kind in a scenario. */
const maxChanges = 500
export const scenarioObjectives = ['fewest_floors', 'lowest_cost', 'least_moves'] as const
export const maxScenarioSeconds = 120

const days = boundedArray(z.enum(weekdays), weekdays.length)
const amount = z.int().min(0).max(1e15)

const ScenarioChanges = z
  .strictObject({
    close_spaces: boundedArray(
      z.strictObject({ space_id: id('spc'), weekdays: days.optional().describe('Default: all weekdays') }),
      maxChanges,
    )
      .default([])
      .describe('Floors, or spaces with floors, that must be closed'),
    headcount: boundedArray(
      z
        .strictObject({
          team_id: id('team').optional().describe('Default: every team; a change of one team replaces it'),
          percent: z.number().min(-100).max(1000).optional().describe('10 for 10 % more'),
          number: z.int().min(0).max(1_000_000).optional().describe('The new headcount of the team'),
        })
        .refine(({ percent, number }) => (percent === undefined) !== (number === undefined), 'needs percent or number')
        .refine(({ team_id: team, number }) => team !== undefined || number === undefined, 'of number needs team_id'),
      maxChanges,
    )
      .default([])
      .describe('Changes of the size of teams'),
    attendance: boundedArray(
      z.strictObject({
        team_id: id('team').optional().describe('Default: every team; a rule of one team replaces it'),
        min_days: z.number().min(0).max(7).optional().describe('Days a week of each member, on average'),
        fixed_days: days.optional().describe('Weekdays on which all members come'),
        stagger: z.boolean().optional().describe('Spread the attendance evenly over the weekdays'),
      }),
      maxChanges,
    )
      .default([])
      .describe('Rules about the days on which teams come'),
    capacity: boundedArray(
      z.strictObject({
        space_id: id('spc'),
        capacity: z.int().min(0).max(1_000_000).describe('The new number of places'),
      }),
      maxChanges,
    )
      .default([])
      .describe('Changes of the places of spaces'),
    cost: boundedArray(
      z.strictObject({
        space_id: id('spc'),
        annual_cost: amount.optional().describe('In minor units of the currency of the space'),
        avoidable_share: z
          .number()
          .min(0)
          .max(1)
          .optional()
          .describe('Share of the cost, from 0 to 1, that ends when the space is closed'),
      }),
      maxChanges,
    )
      .default([])
      .describe('Changes of the cost of spaces'),
  })
  .meta({ id: 'ScenarioChanges' })

const noChanges = { close_spaces: [], headcount: [], attendance: [], capacity: [], cost: [] }

const given = {
  name: resourceName(200).describe('Name for people'),
  forecast_run_id: id('fr').describe(
    'The base forecast: a finished run over the workplace with level `team`, or with level `floor`, of which people are ' +
      'planned by the floor on which they are counted',
  ),
  space_id: id('spc').nullable().describe('The site or building whose floors and teams are planned; null: all'),
  changes: ScenarioChanges,
  objective: z
    .enum(scenarioObjectives)
    .describe(
      '`lowest_cost`: the costs that end with a closed day. `fewest_floors`: floors, then days on which they are open. ' +
        '`least_moves`: people who sit on another floor than today',
    ),
  service_level: z
    .number()
    .min(0.5)
    .max(1)
    .describe('The share of days on which everyone has a place on a floor that is open to them'),
}

export const NewScenario = z
  .strictObject({
    ...given,
    space_id: given.space_id.default(null),
    changes: given.changes.default(noChanges),
    objective: given.objective.default('lowest_cost'),
    service_level: given.service_level.default(0.95),
    time_limit_seconds: z
      .int()
      .min(1)
      .max(maxScenarioSeconds)
      .default(30)
      .describe('Of processor time: a busy machine takes longer'),
    metadata: metadata().default({}),
    external_id: text(200).nullable().default(null).describe('Your own identifier of the scenario; null for none'),
  })
  .meta({ id: 'NewScenario' })

const movedPeople = z
  .int()
  .describe(
    'People who sit on another floor than today on the weekday on which most do, by the places planned for them',
  )

const money = z.object({
  amount: z.int().describe('In minor units'),
  currency: z.string().describe('Currency by ISO 4217'),
})

const Summary = z
  .object({
    is_feasible: z.boolean().describe('True if everyone has a place on the demanded share of days'),
    saving: money.nullable().describe('Of a year; null if it is not stated'),
    service_level: z.number().nullable().describe('The share of days on which everyone has a place'),
    moved_people: movedPeople,
  })
  .meta({ id: 'ScenarioSummary' })

export const Scenario = z
  .object({
    id: id('scn'),
    ...jobFields,
    ...given,
    name: z.string().describe('Name for people'),
    trigger: z
      .enum(['manual', 'forecast'])
      .describe(
        '`forecast`: started by the platform after a forecast of all teams or floors, to find floors that can close',
      ),
    time_limit_seconds: z.int().describe('Seconds of processor time that the search may take'),
    summary: Summary.nullable().describe('Null until the scenario is finished'),
    metadata: z.record(z.string(), z.string()),
    external_id: z.string().nullable(),
    stale,
  })
  .meta({ id: 'Scenario' })

const weekday = z.enum(weekdays)
const byWeekday = z.partialRecord(weekday, z.number())
const SavingLine = z.object({
  space_id: id('spc'),
  name: z.string().describe('Name of the floor'),
  annual_cost: z.int().describe('In minor units'),
  avoidable_share: z.number().describe('Share of the cost that ends with a closed day, from 0 to 1'),
  closed_days: z.int().describe('Weekdays on which the floor is closed'),
  amount: z.int().describe('Saving of the floor in a year, in minor units'),
  rent: z.int().describe('The part of its cost that ends only with the lease; not in `amount`'),
  arithmetic: z.string().describe('The calculation of `amount`, in words and numbers'),
})

const otherFloor =
  'People who find the floors of their team full and sit on another one that it may use, on average over all days'

const Demand = z
  .object({
    people: byWeekday.describe('The mean number of people by weekday'),
    utilization: z.number().nullable().describe('Their share of the places of all floors that are open'),
    service_level: z.number().describe('The share of days on which everyone has a place'),
    people_without_place: z.number().describe('On average over all days'),
    people_on_other_floor: z.number().describe(otherFloor),
  })
  .meta({ id: 'ScenarioDemand' })

export const ScenarioResult = z
  .object({
    is_feasible: z.boolean().describe('True if everyone has a place on the demanded share of days'),
    conclusion: z.string().describe('One sentence'),
    conflict: z
      .array(z.string())
      .describe(
        'Where the places do not suffice, of the weekday that misses them most: the places needed at the service level, ' +
          'those there are, and what keeps others from being used',
      ),
    gap: z
      .number()
      .nullable()
      .describe(
        'How much better a plan with the places of one share of days, the same for all teams and weekdays, can be at most, as a share; other plans are tried beside it',
      ),
    weekdays: z.array(weekday).describe('Weekdays that the scenario plans'),
    floors: z
      .array(
        z.object({
          space_id: id('spc'),
          name: z.string().describe('Name of the floor'),
          capacity: z.int().describe('Places of the floor in the scenario'),
          open: z.array(weekday).describe('Weekdays on which it is open'),
          utilization_before: byWeekday.describe(
            'Mean number of people of the plan over the places by weekday, as it is today; empty if none of them sits there, or ' +
              'the floor of no team is known',
          ),
          utilization_after: byWeekday.describe('Mean number of people over the places by weekday, in the scenario'),
          kept_open_by: z
            .string()
            .nullable()
            .describe('What stands in the way of closing it as well; null for a floor that closes'),
        }),
      )
      .describe('The floors, with the weekdays on which they are open'),
    teams: z
      .array(
        z.object({
          team_id: id('team').nullable().describe('Null for the people of a space'),
          space_id: id('spc')
            .nullable()
            .describe('The space whose people they are, of a forecast of floors; else null'),
          name: z.string().describe('Name of the team, or of the people of a space'),
          needs: byWeekday.describe('Places that it needs'),
          seats: z
            .array(
              z.object({
                weekday: weekday.describe('The weekday'),
                space_id: id('spc'),
                places: z.int().describe('Places of the team on this floor'),
              }),
            )
            .describe('Where the team sits'),
          moved_people: z
            .int()
            .describe('Those of the team who sit on another floor than today, on the weekday on which most of it do'),
        }),
      )
      .describe('The teams, with their places'),
    free: z
      .array(
        z.object({
          space_id: id('spc'),
          name: z.string().describe('Name of the floor'),
          weekdays: z.array(weekday).describe('Weekdays on which it can close'),
        }),
      )
      .describe('Floors and the weekdays on which they can close'),
    free_totals: z
      .object({
        floors_all_week: z.int().describe('Floors that can close on all weekdays on which they are open today'),
        floors_some_days: z.int().describe('Floors that can close on some of them'),
        of_floors: z.int().describe('All floors of the scenario'),
        floor_days: z.int().describe('Days of a week on which a floor can close, added over the floors'),
        of_floor_days: z.int().describe('Days of a week on which a floor is open today, added over the floors'),
      })
      .describe('How many floors of `free` close, and on how many days'),
    moved_people: movedPeople,
    saving: money
      .extend({
        rent: z.int().describe('Rent of the freed floors in a year, in minor units, which ends only with the lease'),
        lines: z.array(SavingLine).describe('The saving of each floor that closes'),
      })
      .nullable()
      .describe('Of a year; null if no floor closes, or costs are in several currencies, without one or not stated'),
    saving_missing: z.string().nullable().default(null).describe('Why `saving` is null, for people'),
    next_point: z
      .object({
        service_level: z.number().describe('Service level with one more point'),
        saving: z.int().nullable().describe('Saving of a year at that level, in minor units; null if none is found'),
        cost: z.int().nullable().describe('Saving that the point costs, in minor units; null if none is found'),
      })
      .nullable()
      .describe(
        'The saving with one more point of service level, and what that point costs; null above 100 %, or if the costs ' +
          'have no common currency',
      ),
    risk: z
      .object({
        overflow_days: z.number().describe('Share of days on which someone has no place, from 0 to 1'),
        by_weekday: byWeekday.describe('The same share by weekday'),
        people_without_place: z.number().describe('People without a place, on average over all days'),
        people_on_other_floor: z.number().describe(otherFloor),
        people: z
          .string()
          .nullable()
          .describe(
            'Of which people it tells, such as those without the teams left out; null for all who were counted',
          ),
      })
      .nullable()
      .describe('The share of days on which someone has no place, from the sample paths of the forecast'),
    before: Demand.nullable().describe('The forecast, with the places of today; null if the floor of no team is known'),
    demand_changed: Demand.nullable().describe(
      'The changed demand, with the places of today; null if the floor of no team is known',
    ),
    allocation_changed: Demand.nullable().describe('The changed demand, with the places of the scenario'),
    warnings: z.array(z.string()).describe('What the result leaves out, in sentences'),
  })
  .meta({ id: 'ScenarioResult' })

export const ScenarioDetail = Scenario.extend({
  result: ScenarioResult.nullable().describe('Null until the scenario is finished'),
}).meta({ id: 'ScenarioDetail' })

export const ScenarioFileQuery = z.strictObject({
  format: z
    .enum(['xlsx', 'pdf', 'csv'])
    .default('xlsx')
    .describe('`xlsx`: a workbook whose saving is computed by formulas. `pdf`: a report. `csv`: who sits where'),
  locale: readerLocale(),
})

export const scenarioPath = z.object({ id: id('scn') })

const difference = z.number().nullable().describe('That of the other scenario less that of this one')

export const ScenarioComparison = z
  .object({
    scenario_id: id('scn'),
    other_id: id('scn'),
    saving: difference,
    currency: z.string().nullable().describe('Currency of `saving` by ISO 4217; null if there is no saving'),
    floor_days: difference,
    moved_people: difference,
    overflow_days: difference,
    floors: z
      .array(
        z.object({
          space_id: id('spc'),
          name: z.string().describe('Name of the floor'),
          open: z.array(weekday).describe('Weekdays on which this scenario opens it'),
          open_with: z.array(weekday).describe('Weekdays on which the other scenario opens it'),
        }),
      )
      .describe('Floors that are open on other weekdays'),
    teams: z
      .array(
        z.object({
          team_id: id('team').nullable().describe('Null for the people of a space'),
          name: z.string().describe('Name of the team, or of the people of a space'),
        }),
      )
      .describe('Teams that sit elsewhere'),
    conclusion: z.string().describe('The differences, in sentences'),
    warnings: z.array(z.string()).describe('Those of both scenarios, in sentences'),
  })
  .meta({ id: 'ScenarioComparison' })
