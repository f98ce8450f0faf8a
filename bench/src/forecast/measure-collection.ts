import { type Accuracy, mean, measureAccuracy } from './accuracy.ts'
import { simulateCollection } from './collection.ts'

/** Hours ahead. */
export const collectionHorizon = 48

/** Returns the accuracy of forecasts of a simulated collection, by kind of series and over all. */
export function measureCollection(seed: number): Record<string, string | number>[] {
  const hours = [700, 960, 2_000]
  const collection = simulateCollection(seed, hours.length, (index) => (hours[index] ?? 0) + collectionHorizon)
  const results = collection.flatMap((series) => measureAccuracy(series, collectionHorizon) ?? [])
  const kinds = [...Map.groupBy(results, ({ kind }) => kind)]
  return [...kinds, ['all', results] as const].map(([kind, members]) => {
    const meanOf = (figure: (result: Accuracy) => number): number => mean(members.map(figure))
    return {
      kind,
      MASE: meanOf(({ mase }) => mase),
      'MASE of naive': meanOf(({ naiveMase }) => naiveMase),
      'ratio to naive': meanOf(({ mase }) => mase) / meanOf(({ naiveMase }) => naiveMase),
      'inside 80 %': 100 * meanOf(({ inside80 }) => inside80),
      'inside 95 %': 100 * meanOf(({ inside95 }) => inside95),
      'processor ms': meanOf(({ processorMs }) => processorMs),
    }
  })
}
