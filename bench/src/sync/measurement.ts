import type { MemorySampler } from './memory-sampler.ts'

/** Runs and reports the parts of the sync benchmark. */
export interface Measurement {
  results: Record<string, string | number>[]
  /** @param count rows of this part; default those of the benchmark */
  run(name: string, work: () => Promise<unknown>, count?: number): Promise<void>
  /** Returns the rows per second relative to the baseline, or an empty object if the part was not run. */
  ratioToBaseline(name: string): Record<string, number>
}

/** @param baseline name of the part that is the baseline */
export function createMeasurement(rows: number, baseline: string, memory: MemorySampler): Measurement {
  const results: Record<string, string | number>[] = []
  const perSecondOf = (name: string) => Number(results.find((result) => result.name === name)?.['rows/s'])
  return {
    results,
    async run(name, work, count = rows) {
      const startedAt = performance.now()
      await work()
      const seconds = (performance.now() - startedAt) / 1000
      results.push({ name, rows: count, 'rows/s': Math.round(count / seconds), seconds, ...memory.take() })
    },
    ratioToBaseline(name) {
      const ratio = perSecondOf(name) / perSecondOf(baseline)
      return Number.isNaN(ratio) ? {} : { [`${name} / ${baseline}`]: ratio }
    },
  }
}
