import { buildCommand } from '@stricli/core'
import { onePositional, textFlag, textsFlag } from '../../flag-types.ts'
import { outputFlags } from '../../output/flags.ts'

const horizonFlag = {
  kind: 'parsed',
  parse: parseSteps,
  optional: true,
  placeholder: 'steps',
  brief: 'Steps to forecast (default: a week of hours, 28 days or 8 weeks)',
} as const

/** Builds a flag that is given once for each column: the name of a column may have a comma. */
const columnsFlag = (brief: string) =>
  ({ kind: 'parsed', parse: String, optional: true, variadic: true, placeholder: 'field', brief }) as const

function parseSteps(text: string): number {
  const steps = Number(text)
  if (!Number.isInteger(steps) || steps < 1) throw new Error('must be a whole number of steps')
  return steps
}

export const forecast = buildCommand({
  loader: async () => (await import('./forecast.ts')).forecast,
  parameters: {
    flags: {
      timestamp: {
        ...columnsFlag('Field with the time; given twice: fields with the date and the hour'),
        optional: false,
      },
      value: columnsFlag('Field with the value; given several times: each is a series'),
      aggregation: {
        kind: 'enum',
        values: ['sum', 'mean', 'max', 'last', 'count'],
        optional: true,
        brief: 'Combines the values of a step (default: sum, or max of a level); count needs no --value',
      },
      groupBy: textsFlag('fields', 'Fields that divide the rows into series'),
      measure: {
        kind: 'enum',
        values: ['level', 'flow'],
        optional: true,
        brief: 'Kind of the values: a level, such as people present, or a flow, such as arrivals',
      },
      frequency: { kind: 'enum', values: ['hour', 'day', 'week'], default: 'hour', brief: 'Length of a step' },
      horizon: horizonFlag,
      timezone: { ...textFlag('zone', 'Time zone of days and of local times'), optional: false, default: 'UTC' },
      ...outputFlags,
    },
    positional: onePositional('source-id', 'Id of the data source'),
  },
  docs: {
    brief: 'Forecast a data source and plot the result',
    fullDescription:
      'Starts a forecast run and waits for its end. A terminal shows a plot of each series with its 80 % interval; a pipe ' +
      'gets a line for each point: series, time, mean, lower and upper bound of the 80 % interval.',
  },
})
