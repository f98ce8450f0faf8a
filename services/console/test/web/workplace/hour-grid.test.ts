import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { numberText } from '../../../web/src/ui/form/number-text.ts'
import { hourGrid } from '../../../web/src/workplace/buildings/building/hour-grid.ts'
import type { UtilizationRow } from '../../../web/src/workplace/buildings/space-words.ts'

const cell = (hour: number, more: Partial<UtilizationRow>): UtilizationRow => ({
  weekday: 'mon',
  hour,
  open: hour >= 8 && hour < 11,
  capacity: 100,
  headcount: null,
  sharing_ratio: null,
  attendance: null,
  average: 0,
  peak: 0,
  p90: 0,
  share: 0,
  co_attendance: null,
  source: 'badge_events',
  attendance_source: 'badge_events',
  coverage: 1,
  suppressed: false,
  ...more,
})

it('a heat map shows the hours that are open or used, and tells closed from withheld ones', () => {
  const day = Array.from({ length: 24 }, (_, hour) => cell(hour, {}))
  day[8] = cell(8, { average: 40.4, share: 0.404, peak: 52 })
  day[9] = cell(9, { average: null, share: null, peak: null, suppressed: true })
  day[12] = cell(12, { average: 7, share: 0.07, peak: 9 })
  const { columns, rows, highest } = hourGrid(day)
  expect(columns).toEqual(['08:00', '09:00', '10:00', '11:00', '12:00'])
  expect(highest).toBe(40.4)
  expect(rows).toMatchObject([{ label: 'Monday', short: 'Mon' }])
  expect(rows[0]?.cells).toMatchObject([
    { value: 40.4, text: '40 people, 40\u00a0% of the places, at most 52' },
    { value: null, state: 'withheld', text: 'withheld, as it could tell of single people' },
    { value: 0 },
    { value: null, state: 'closed', text: 'closed' },
    { value: 7 },
  ])
  expect(hourGrid([]).rows).toEqual([])
})

it('a field of a number reads separators, and leaves an empty one out', () => {
  const schema = numberText(z.number().int().min(0).nullable())
  expect(schema.parse(' 1,250 ')).toBe(1250)
  expect(schema.parse('')).toBeNull()
  expect(schema.safeParse('many').success).toBe(false)
  expect(schema.safeParse('12.5').success).toBe(false)
})
