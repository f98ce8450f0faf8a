import { describe, expect, it } from '@jest/globals'
import { sparkline } from '../../../web/src/home/sparkline.ts'

describe('a sparkline', () => {
  it('spans the whole width, from 0 to the highest of bound and capacity', () => {
    const bounds = [
      [0, 10],
      [5, 15],
      [8, 20],
    ] as const
    expect(sparkline([5, 10, 14], bounds, 23)).toEqual({
      mean: 'M0 76L50 56L100 40',
      band: 'M0 56L50 36L100 16L100 64L50 76L0 96Z',
      capacity: 'M0 4L100 4',
    })
  })

  it('leaves out what a forecast does not have', () => {
    expect(sparkline([1, 2], [], undefined)).toEqual({ mean: 'M0 50L100 4', band: '', capacity: '' })
    expect(sparkline([0], [], undefined)).toEqual({ mean: 'M0 96', band: '', capacity: '' })
    expect(sparkline([], [], undefined)).toEqual({ mean: '', band: '', capacity: '' })
  })

  it('shows values below 0', () => {
    expect(sparkline([-1, 1], [], undefined).mean).toBe('M0 96L100 4')
  })
})
