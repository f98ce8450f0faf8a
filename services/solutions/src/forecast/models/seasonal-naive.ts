import type { Model } from './model.ts'

/** Repeats the last period: the baseline that other models are compared with. */
export function seasonalNaive(name: string, period: number): Model {
  return {
    name,
    needs: period,
    predict: ({ values }, cells) =>
      Float64Array.from({ length: cells }, (_, ahead) => values[values.length - period + (ahead % period)] ?? 0),
  }
}
