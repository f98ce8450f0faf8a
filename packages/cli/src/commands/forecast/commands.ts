import { buildCommand } from '@stricli/core'
import { connectionFlags } from '../../connection-flags.ts'
import { onePositional, textFlag, textsFlag } from '../../flag-types.ts'
import { outputFlags } from '../../output/flags.ts'

const horizonFlag = {
  kind: 'parsed',
  parse: parseSteps,
  optional: true,
  placeholder: 'steps',
  brief: 'Steps to forecast (default: a week of hours, 28 days or 8 weeks)',
} as const

function parseSteps(text: string): number {
  const steps = Number(text)
  if (!Number.isInteger(steps) || steps < 1) throw new Error('must be a whole number of steps')
  return steps
}

export const forecast = buildCommand({
  loader: async () => (await import('./forecast.ts')).forecast,
  parameters: {
    flags: {
      timestamp: { ...textFlag('field', 'Field with the time'), optional: false },
      value: { ...textFlag('field', 'Field with the value'), optional: false },
      groupBy: textsFlag('fields', 'Fields that divide the rows into series'),
      frequency: { kind: 'enum', values: ['hour', 'day', 'week'], default: 'hour', brief: 'Length of a step' },
      horizon: horizonFlag,
      timezone: { ...textFlag('zone', 'Time zone of days and of local times'), optional: false, default: 'UTC' },
      ...connectionFlags,
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
