import { describe, expect, it } from '@jest/globals'
import { decide, type PreviousRecommendation } from '../../src/recommendations/index.ts'

const now = new Date('2026-03-30T00:00:00Z')
const previous = (status: string, daysAgo = 1, more: Partial<PreviousRecommendation> = {}): PreviousRecommendation => ({
  id: `${status}-${daysAgo}`,
  status,
  severity: 1,
  isFollowUpPending: false,
  updatedAt: new Date(now.getTime() - daysAgo * 86_400_000),
  ...more,
})

describe('a recommendation that was made before', () => {
  it.each<[string, PreviousRecommendation[], number, object]>([
    ['is created when there was none', [], 1, { action: 'create' }],
    ['refreshes the open one', [previous('open', 90)], 1, { action: 'refresh', id: 'open-90' }],
    [
      'refreshes the open one although another was dismissed',
      [previous('dismissed'), previous('open', 2)],
      1,
      { action: 'refresh', id: 'open-2' },
    ],
    ['is left out after 27 days of a dismissal', [previous('dismissed', 27)], 1, { action: 'skip' }],
    ['is created after 28 days of a dismissal', [previous('dismissed', 28)], 1, { action: 'create' }],
    ['is left out when it is somewhat worse than dismissed', [previous('dismissed')], 1.24, { action: 'skip' }],
    ['is created when it is clearly worse than dismissed', [previous('dismissed')], 1.25, { action: 'create' }],
    [
      'compares with the last dismissal',
      [previous('dismissed', 9), previous('dismissed', 2, { severity: 2 })],
      2,
      { action: 'skip' },
    ],
    [
      'waits for the follow-up of an accepted one',
      [previous('accepted', 99, { isFollowUpPending: true })],
      9,
      { action: 'skip' },
    ],
    ['is created after the follow-up', [previous('accepted')], 1, { action: 'create' }],
  ])('%s', (_title, rows, severity, expected) => {
    expect(decide(rows, { severity }, now)).toEqual(expected)
  })
})
