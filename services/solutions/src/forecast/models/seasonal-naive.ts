import type { Model } from './model.ts'

/** What was there one period ago, over and over: the yardstick every other model has to beat. */
export function seasonalNaive(name: string, period: number): Model {
  return {
    name,
    needs: period,
    predict: ({ values }, cells) =>
      Float64Array.from({ length: cells }, (_, ahead) => values[values.length - period + (ahead % period)] ?? 0),
  }
}
