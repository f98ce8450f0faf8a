import { describe, expect, it } from '@jest/globals'
import type { PastPeriod } from '../../src/forecast/index.ts'
import { followUp, type Recommendation } from '../../src/recommendations/index.ts'

const dayMs = 86_400_000
const monday = Date.parse('2026-03-16T00:00:00Z')
const now = new Date('2026-04-01T00:00:00Z')

/** The days from Monday 16 March on, with these peaks; null is imputed. */
const pastOf = (peaks: (number | null)[]): PastPeriod[] =>
  peaks.map((peak, day) => ({
    startMs: monday + day * dayMs,
    endMs: monday + (day + 1) * dayMs,
    date: (monday + day * dayMs) / dayMs,
    weekday: day % 7,
    peak: peak ?? 99,
    isUsual: true,
    isObserved: peak !== null,
  }))

const window = { from: '2026-03-17T00:00:00.000Z', until: '2026-03-21T00:00:00.000Z', weekdays: ['tuesday', 'friday'] }
const statusOf = (kind: Recommendation['kind'], figures: Recommendation['figures'], peaks: (number | null)[]) =>
  followUp({ kind, figures, window }, { key: {}, past: pastOf(peaks), coming: [] }, now)?.status ?? null

const closed = { capacity: 100, threshold: 0.4, moved_to: 'south' }
const partly = { peak_usual: 100, threshold: 0.4 }
const meals = { meals_tuesday: 20, meals_friday: 30 }

describe('the follow-up of an accepted recommendation', () => {
  it.each<[string, Recommendation['kind'], Recommendation['figures'], (number | null)[], string | null]>([
    ['waits for the end of the window', 'consolidation', closed, [0, 0, 0, 0], null],
    ['is unknown when no day has values', 'consolidation', closed, [5, null, 5, 5, null], 'unknown'],
    ['sees a closed group', 'consolidation', closed, [80, 10, 80, 80, 0], 'happened'],
    ['sees a group that was used on one day', 'consolidation', closed, [80, 10, 80, 80, 11], 'did_not_happen'],
    ['uses the days that have values', 'consolidation', closed, [80, 10, 80, 80, null], 'happened'],
    ['compares a partly closed group with the threshold', 'consolidation', partly, [80, 40, 80, 80, 39], 'happened'],
    ['sees a partly closed group above it', 'consolidation', partly, [80, 41, 80, 80, 39], 'did_not_happen'],
    ['sees a full building', 'capacity_alert', { capacity: 100 }, [80, 100, 80, 80, 39], 'happened'],
    [
      'sees a building that was not full',
      'capacity_alert',
      { capacity: 100 },
      [100, 99, 100, 100, 39],
      'did_not_happen',
    ],
    ['sees that the meals were enough', 'service_level', meals, [80, 20, 80, 80, 30], 'happened'],
    ['sees that the meals were not enough', 'service_level', meals, [80, 21, 80, 80, 30], 'did_not_happen'],
  ])('%s', (_title, kind, figures, peaks, expected) => {
    expect(statusOf(kind, figures, peaks)).toBe(expected)
  })

  it('states the days and the peak that were compared', () => {
    const result = followUp(
      { kind: 'consolidation', figures: closed, window },
      { key: {}, past: pastOf([80, 9, 80, 80, 7]), coming: [] },
      now,
    )
    expect(result).toEqual({
      status: 'happened',
      checked_at: now.toISOString(),
      figures: { days: 2, peak_actual: 9, limit: 10 },
    })
  })
})
