import { id, scenarioObjectives, solutions, weekdays } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { requireAllSources } from '../tool.ts'

const maxChanges = 50
const days = z.array(z.enum(weekdays)).min(1).max(weekdays.length)
const teamId = id('team').optional().describe('Default: all teams')

const input = z.strictObject({
  name: z.string().min(1).max(200).describe('Says what is asked, such as "Floor 3 closed on Fridays"'),
  forecast_run_id: id('fr').describe(
    'A finished forecast of teams, or of floors where no teams are known, from list_workplace',
  ),
  space_id: id('spc').optional().describe('The site or building that is planned; default: all'),
  close_spaces: z
    .array(z.strictObject({ space_id: id('spc'), weekdays: days.optional().describe('Default: all') }))
    .max(maxChanges)
    .default([])
    .describe('Floors, buildings or sites that are closed, on some weekdays or all week'),
  headcount: z
    .array(
      z.strictObject({
        team_id: teamId,
        percent: z.number().min(-100).max(1000).optional().describe('10 for 10 % more people'),
        number: z.int().min(0).max(1_000_000).optional().describe('Of one team: its new headcount'),
      }),
    )
    .max(maxChanges)
    .default([])
    .describe('More or fewer people'),
  attendance: z
    .array(
      z.strictObject({
        team_id: teamId,
        min_days: z.number().min(0).max(7).optional().describe('Days a week of each member'),
        fixed_days: days.optional().describe('Weekdays on which all members come'),
      }),
    )
    .max(maxChanges)
    .default([])
    .describe('Rules of when people come'),
  capacity: z
    .array(z.strictObject({ space_id: id('spc'), capacity: z.int().min(0).max(1_000_000) }))
    .max(maxChanges)
    .default([])
    .describe('Places that floors have instead of today'),
  objective: z.enum(scenarioObjectives).default('lowest_cost'),
  service_level: z.number().min(0.5).max(1).default(0.95).describe('The share of days on which everyone has a place'),
})

export const createScenario = (internal: InternalCalls) =>
  defineTool({
    name: 'create_scenario',
    description:
      'Plans what-if: which floors are needed on which weekday after changes, who sits where, and what closing the others saves. It changes nothing. Returns an id at once; read it with read_scenario. Take ids from list_workplace. Without close_spaces it finds the floors that can close.',
    input,
    requiredScopes: ['solutions:run'],
    isRepeatable: false,
    async run({ close_spaces, headcount, attendance, capacity, space_id = null, ...rest }, call) {
      requireAllSources(call)
      const body = {
        ...rest,
        space_id,
        changes: { close_spaces, headcount, attendance, capacity, cost: [] },
        time_limit_seconds: timeLimitSeconds,
        metadata: {},
        external_id: null,
      }
      const scenario = await internal.call(solutions.createScenario, call.caller, { body })
      return { output: { scenario_id: scenario.id, status: scenario.status, next: 'Call read_scenario with this id' } }
    },
  })
const timeLimitSeconds = 60
