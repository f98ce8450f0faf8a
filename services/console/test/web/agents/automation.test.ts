import { describe, expect, it } from '@jest/globals'
import { budgetSchema, toBudgetValues } from '../../../web/src/agents/automation/budget-values.ts'
import { toTriggerValues, triggerSchema } from '../../../web/src/agents/automation/trigger-values.ts'
import { conditionsOf, describeOccasion, filterOf } from '../../../web/src/agents/automation/trigger-words.ts'
import { presetOf, scheduleOf } from '../../../web/src/ui/schedule/schedule-preset.ts'

describe('the schedule of an automatic run', () => {
  it.each([
    ['0 7 * * mon-fri', 'weekdays'],
    ['30 6 * * *', 'daily'],
    ['5 18 * * thu', 'weekly'],
    ['0 6 1 * *', 'monthly'],
    ['0 * * * *', 'hourly'],
    ['*/20 8-18 * * 1-5', 'cron'],
    ['0 7 * 2 mon-fri', 'cron'],
  ])('%s is picked as %s, and stays the same', (expression, preset) => {
    const schedule = { type: 'cron' as const, expression, timezone: 'UTC' }
    expect(presetOf(schedule)).toBe(preset)
    expect(scheduleOf(preset, schedule, 'UTC')).toEqual(schedule)
  })

  it('keeps its time when other days are picked', () => {
    const weekly = { type: 'cron' as const, expression: '5 18 * * thu', timezone: 'Europe/Berlin' }
    expect(scheduleOf('daily', weekly, 'Europe/Berlin')).toMatchObject({ expression: '5 18 * * *' })
    expect(scheduleOf('monthly', { type: 'manual' }, 'UTC')).toMatchObject({ expression: '30 6 1 * *' })
  })
})

describe('the event of an automatic run', () => {
  it('is described in words, with names in place of ids', () => {
    const on = {
      event: 'AGENT_RUN_FAILED' as const,
      filter: { all: { agent_id: 'agt_1', 'error.code': 'run_timeout' } },
    }
    expect(describeOccasion(on, new Map([['agt_1', 'Morning report']]))).toBe(
      'When a run of an assistant failed, only if the assistant is Morning report, only if the error code is run_timeout',
    )
  })

  it('has conditions as filters of equal values, with numbers where the event has them', () => {
    const filter = filterOf('DATA_SYNC_FINISHED', [
      { field: 'counts.failed', value: '3' },
      { field: 'status', value: 'finished' },
      { field: '', value: 'left out' },
    ])
    expect(filter).toEqual({ all: { 'counts.failed': 3, status: 'finished' } })
    expect(conditionsOf(filter)).toHaveLength(2)
    const parse = (conditions: { field: string; value: string }[], runs_per_day = '5') =>
      triggerSchema(undefined).safeParse({
        ...toTriggerValues(undefined, 'UTC'),
        kind: 'event',
        event: 'DATA_SYNC_FINISHED',
        input: 'Why?',
        conditions,
        budget: { runs_per_day },
      })
    const issues = [{ path: ['conditions'], message: 'Enter 1000, or 1.0000: this can be read as both' }]
    expect(parse([{ field: 'counts.failed', value: '1.000' }])).toMatchObject({ error: { issues } })
    expect(parse([{ field: 'counts.failed', value: '1,000' }])).toMatchObject({
      data: { on: { filter: { all: { 'counts.failed': 1000 } } }, budget: { runs_per_day: 5 } },
    })
    expect(parse([], '1.000')).toMatchObject({ error: { issues: [{ path: ['budget', 'runs_per_day'] }] } })
    expect(conditionsOf({ all: { 'counts.failed': { gt: 0 } } })).toBeUndefined()
  })
})

it('a budget is typed in units of its currency and sent in minor ones', () => {
  const limits = { runs_per_day: 20, tokens_per_day: null, tokens_per_run: null, cost_per_run: null }
  const stored = { ...limits, cost_per_day: { amount: 1_250, currency: 'EUR' } }
  expect(toBudgetValues(stored)).toMatchObject({
    cost_per_day: { amount: '12.50' },
    runs_per_day: '20',
    currency: 'EUR',
  })
  expect(budgetSchema.parse(toBudgetValues(stored))).toEqual(stored)
  const yen = { ...toBudgetValues(stored), cost_per_day: { amount: '300' }, currency: 'JPY' }
  expect(budgetSchema.parse(yen).cost_per_day).toEqual({ amount: 300, currency: 'JPY' })
  const doubtful = { ...toBudgetValues(stored), cost_per_day: { amount: '1.234' }, tokens_per_run: 'many' }
  expect(budgetSchema.safeParse(doubtful).error?.issues).toMatchObject([
    { path: ['tokens_per_run'], message: 'Enter a number' },
    { path: ['cost_per_day', 'amount'], message: 'Enter 1234, or 1.2340: this can be read as both' },
  ])
})
