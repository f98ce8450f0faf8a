import { expect, it } from '@jest/globals'
import { measureOfName } from '../../../src/runs/series/collect-series.ts'

it.each([
  ['occupancy', 'level'],
  ['people_present', 'level'],
  ['Belegung', 'level'],
  ['RoomTemperature', 'level'],
  ['arrivals', 'flow'],
  ['InCount', 'flow'],
  ['Check-ins', 'flow'],
  ['people', undefined],
  ['entries_occupancy', undefined],
  ['representation', undefined],
  ['North', undefined],
])('the measure of a column follows from its name when it is %s', (name, expected) => {
  expect(measureOfName(name)).toBe(expected)
})
