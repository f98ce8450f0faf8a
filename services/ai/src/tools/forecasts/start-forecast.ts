import { id, solutions, spaceKinds } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { requireSource } from '../data/allowed-sources.ts'
import { defineTool } from '../define-tool.ts'
import { requireAllSources, ToolFailure } from '../tool.ts'

const fieldName = z.string().min(1).max(200)

const workplace = z.strictObject({
  level: z
    .enum([...spaceKinds, 'team'])
    .describe('team: each team, which create_scenario needs; or the kind of space down to which people are forecast'),
  space_id: id('spc').optional().describe('Only this space and what is in it; default: all'),
})

const input = z.strictObject({
  workplace: workplace
    .optional()
    .describe(
      'Forecasts the people of buildings or teams instead of a data source, with frequency day and a horizon of at most 90; 60 is usual. Give no other field but timezone beside it',
    ),
  data_source_id: id('src').optional().describe('Required without workplace'),
  timestamp_field: z
    .union([fieldName, z.array(fieldName).min(1).max(2)])
    .optional()
    .describe('The column of the times; or two columns, of dates and of hours or times of day'),
  value_field: z
    .union([fieldName, z.array(fieldName).min(1).max(50)])
    .optional()
    .describe('The column of the values, or columns, each a series; none to count rows'),
  group_by: z.array(fieldName).max(5).optional().describe('A forecast for each group; default: one of all rows'),
  frequency: z.enum(['hour', 'day', 'week']),
  aggregation: z
    .enum(['sum', 'mean', 'max', 'last', 'count'])
    .optional()
    .describe('Combines the values of one step; default sum, or max with measure level; count counts rows'),
  measure: z
    .enum(['level', 'flow'])
    .optional()
    .describe('level: a state such as people present; flow: events such as arrivals'),
  horizon: z.int().min(1).max(2_000).describe('Number of steps'),
  timezone: z.string().max(64).default('UTC').describe('IANA time zone'),
})

export const startForecast = (internal: InternalCalls) =>
  defineTool({
    name: 'start_forecast',
    description:
      'Starts a forecast of a number over time from the records of a data source, or of the people of buildings or teams. Returns the id of the forecast run; read it with read_forecast.',
    input,
    requiredScopes: ['solutions:run', 'data:read'],
    isRepeatable: false,
    async run(body, call) {
      if (body.workplace !== undefined) requireAllSources(call)
      else if (body.data_source_id !== undefined) requireSource(call, body.data_source_id)
      else throw new ToolFailure('Give data_source_id, or workplace for a forecast of buildings or teams')
      const run = await internal.call(solutions.startForecastRun, call.caller, { body })
      return { output: { forecast_run_id: run.id, status: run.status } }
    },
  })
