import { describe, expect, it } from '@jest/globals'
import { freeFloorsChart, freeFloorsHeight } from '../../../src/scenarios/report/charts/free-floors-chart.ts'
import { utilizationChart, utilizationHeight } from '../../../src/scenarios/report/charts/utilization-chart.ts'
import type { RectangleShape, Shape } from '../../../src/scenarios/report/layout/shapes.ts'
import { floorLabels } from '../../../src/scenarios/report/layout-report.ts'
import { shortNames } from '../../../src/scenarios/result/words.ts'

const frame = { x: 50, y: 100, width: 480 }
const rectangles = (shapes: Shape[]) => shapes.filter((shape): shape is RectangleShape => shape.kind === 'rectangle')
const textsOf = (shapes: Shape[]) => shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
/** 0 for black and 255 for white. */
const lightness = (color: string) => Number.parseInt(color.slice(1, 3), 16)

describe('the chart of utilization', () => {
  const shares = [0, 0.25, 0.5, 0.75, 1]
  const chart = utilizationChart(
    ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
    [
      { label: 'First', today: shares, planned: [0.1, 0.2, 0.3, 0.4, null] },
      { label: 'Second', today: [1.0004, 1.204, 0, 0, 0], planned: [0, 0, 0, 0, 0] },
    ],
    frame,
    18,
  )

  it('states the share of each floor and weekday, and where it is closed', () => {
    const texts = textsOf(chart)
    expect(texts.slice(0, 6)).toEqual(['Monday', 'today', 'planned', 'Tuesday', 'today', 'planned'])
    expect(texts.slice(texts.indexOf('First'), texts.indexOf('Second'))).toEqual([
      ...['First', '0 %', '10 %', '25 %', '20 %', '50 %', '30 %', '75 %', '40 %', '100 %', 'closed'],
    ])
  })

  it('is the darker the fuller a floor is, with a frame where there are more people than places', () => {
    const fills = rectangles(chart).flatMap(({ fill }) => (fill === undefined ? [] : [lightness(fill)]))
    const today = [0, 2, 4, 6, 8].map((at) => fills[at] ?? 0)
    expect(today).toEqual(today.toSorted((a, b) => b - a))
    expect(new Set(today).size).toBe(5)
    // The frames of the closed floor, and of 120.4 %; 100.04 % prints as 100 %.
    expect(rectangles(chart).filter(({ stroke }) => stroke !== undefined)).toHaveLength(2)
  })

  it('stays in its frame', () => {
    const bottom = frame.y + utilizationHeight(2, 18)
    for (const shape of chart) {
      if (shape.kind === 'line') continue
      expect(shape.x).toBeGreaterThanOrEqual(frame.x)
      expect(shape.x + shape.width).toBeLessThanOrEqual(frame.x + frame.width)
      expect(shape.y + (shape.kind === 'text' ? shape.size : shape.height)).toBeLessThanOrEqual(bottom)
    }
  })
})

describe('the chart of free floors', () => {
  it('has a bar divided as the floors are', () => {
    const days = [
      { weekday: 'Monday', count: 0, names: [] },
      { weekday: 'Friday', count: 3, names: ['1, 2,', '3'] },
    ]
    const chart = freeFloorsChart(days, 4, frame, 2)
    const [monday, open, free] = rectangles(chart)
    expect(open?.width).toBeCloseTo((monday?.width ?? 0) / 4)
    expect(free?.width).toBeCloseTo((3 * (monday?.width ?? 0)) / 4 - 0.8)
    expect(textsOf(chart)).toEqual(['Monday', '0 of 4 free', 'Friday', '3 of 4 free', '1, 2,', '3'])
    expect(Math.max(...rectangles(chart).map(({ y, height }) => y + height))).toBeLessThanOrEqual(
      frame.y + freeFloorsHeight(2, 2),
    )
  })
})

describe('the names of floors', () => {
  const fit = (name: string) => name.slice(0, 6)

  it.each([
    ['are the last parts where these are distinct', ['B / A / 1st', 'B / A / 2nd'], ['1st', '2nd']],
    ['are longer where they are not', ['B / A / 1', 'B / C / 1'], ['A / 1', 'C / 1']],
    ['have a number where they are cut alike', ['B / North / 1', 'B / North / 1'], ['1. 1', '2. 1']],
    ['leave out the words that all begin with', ['City of A / Q 1', 'City of B / Q 1'], ['A / Q 1', 'B / Q 1']],
    [
      'have their last part after a number',
      ['Aa / Longest / 1', 'Aa / Longest / 2', 'Bb / Longest / 2'],
      ['1. 1', '2. 2', '3. 2'],
    ],
    ['are whole for one floor', ['B / A'], ['A']],
    ['are whole where they have nothing in common', ['A / 1', 'B'], ['1', 'B']],
  ])('%s', (_, names, expected) => {
    expect(floorLabels(names, fit).narrow).toEqual(expected)
  })

  it('leave out what all have in common', () => {
    expect(shortNames(['B / A / 1', 'B / A / 2', 'B / C'])).toEqual(['A / 1', 'A / 2', 'C'])
    expect(shortNames(['B', 'B / A'])).toEqual(['B', 'B / A'])
    expect(shortNames([])).toEqual([])
  })
})
