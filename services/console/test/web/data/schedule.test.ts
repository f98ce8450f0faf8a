import { describe, expect, it } from '@jest/globals'
import { nextRuns } from '../../../web/src/ui/schedule/next-runs.ts'
import { describeCron, describeSchedule } from '../../../web/src/ui/schedule/schedule-text.ts'

describe('describeSchedule', () => {
  it.each([
    [{ type: 'manual' } as const, 'only when started'],
    [{ type: 'interval', interval_seconds: 900 } as const, 'every 15 minutes'],
    [{ type: 'interval', interval_seconds: 86_400 } as const, 'every day'],
    [{ type: 'interval', interval_seconds: 5400 } as const, 'every 90 minutes'],
    [{ type: 'cron', expression: '30 6 * * mon-fri' } as const, 'on weekdays at 06:30 (UTC)'],
  ])('describes %j', (schedule, text) => expect(describeSchedule(schedule)).toBe(text))
})

describe('describeCron', () => {
  it.each([
    ['5 * * * *', 'every hour at minute 5'],
    ['0 9 * * *', 'every day at 09:00'],
    ['0 9 * * 0', 'every Sunday at 09:00'],
    ['0 9 * * 7', 'every Sunday at 09:00'],
    ['0 9 * * sat', 'every Saturday at 09:00'],
    ['0 9 1 * *', 'on day 1 of every month at 09:00'],
    ['*/5 9-17 * * *', 'by */5 9-17 * * *'],
    ['0 9 1 1 *', 'by 0 9 1 1 *'],
    ['0 9 1 * mon', 'by 0 9 1 * mon'],
  ])('describes %s as "%s"', (expression, text) => expect(describeCron(expression)).toBe(text))
})

describe('nextRuns', () => {
  const now = new Date('2026-03-28T00:00:00Z') // the night before the clocks of Europe change

  it('returns times of the zone across a clock change', () => {
    const runs = nextRuns({ type: 'cron', expression: '30 6 * * *', timezone: 'Europe/Berlin' }, now, 2)
    expect(runs?.map((run) => run.toISOString())).toEqual(['2026-03-28T05:30:00.000Z', '2026-03-29T04:30:00.000Z'])
  })

  it('counts an interval from now', () => {
    const runs = nextRuns({ type: 'interval', interval_seconds: 3600 }, now, 2)
    expect(runs?.map((run) => run.toISOString())).toEqual(['2026-03-28T01:00:00.000Z', '2026-03-28T02:00:00.000Z'])
  })

  it('returns none for a manual schedule and for a date that never comes', () => {
    expect(nextRuns({ type: 'manual' }, now, 3)).toEqual([])
    expect(nextRuns({ type: 'cron', expression: '0 0 31 2 *' }, now, 3)).toEqual([])
  })

  it.each(['', '30 6 * *', '* * * * * *', '@daily', '61 6 * * *'])(
    'returns undefined for the expression "%s"',
    (expression) => {
      expect(nextRuns({ type: 'cron', expression }, now, 3)).toBeUndefined()
    },
  )

  it('returns undefined for an unknown time zone', () => {
    expect(nextRuns({ type: 'cron', expression: '0 9 * * *', timezone: 'Europe/Nowhere' }, now, 3)).toBeUndefined()
  })
})
