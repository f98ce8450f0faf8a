/** The functions over the values of a field. `count` counts rows, or with a field its values, `distinct` each once. */
export const aggregateFunctions = ['count', 'sum', 'mean', 'median', 'min', 'max', 'distinct'] as const
export type AggregateFunction = (typeof aggregateFunctions)[number]

/** A computed value; null if no row has a value. */
export type AggregateValue = number | string | null

/** Accumulates the values of one group, row by row. */
export interface Accumulator {
  /** @returns false if the value cannot be used: it is missing, or not a number where one is needed */
  add(value: unknown): boolean
  result(): AggregateValue
}

export function createAccumulator(name: AggregateFunction): Accumulator {
  if (name === 'count') return createCount()
  if (name === 'distinct') return createDistinct()
  if (name === 'median') return createMedian()
  return name === 'min' || name === 'max' ? createExtreme(name) : createSum(name)
}

function createCount(): Accumulator {
  let count = 0
  return {
    add(value) {
      const isPresent = !isMissing(value)
      if (isPresent) count += 1
      return isPresent
    },
    result: () => count,
  }
}

/** The values that `distinct` holds in memory for a group. With more it has no result. */
const maxDistinct = 100_000

/** Counts each value once; texts that differ in the case of letters only are one, as in filters. */
function createDistinct(): Accumulator {
  const values = new Set<string>()
  return {
    add(value) {
      if (isMissing(value)) return false
      if (values.size <= maxDistinct) values.add(String(value).toLowerCase())
      return true
    },
    result: () => (values.size > maxDistinct ? null : values.size),
  }
}

/** Sums with the compensation of Neumaier (1974), so that the error does not grow with the number of rows. */
function createSum(name: 'sum' | 'mean'): Accumulator {
  let [sum, compensation, count] = [0, 0, 0]
  return {
    add(value) {
      if (typeof value !== 'number') return false
      const next = sum + value
      compensation += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
      sum = next
      count += 1
      return true
    },
    result() {
      if (count === 0) return null
      return withoutNoise(name === 'sum' ? sum + compensation : (sum + compensation) / count)
    },
  }
}

/** Holds every value; the rows of a call are bounded. Of an even number it is the mean of the two in the middle. */
function createMedian(): Accumulator {
  const values: number[] = []
  return {
    add(value) {
      if (typeof value !== 'number') return false
      values.push(value)
      return true
    },
    result() {
      const sorted = Float64Array.from(values).sort()
      const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
      return low === undefined || high === undefined ? null : withoutNoise(low + (high - low) / 2)
    },
  }
}

/** Compares numbers as numbers. Of a field of text it compares texts, which orders ISO 8601 times. */
function createExtreme(name: 'min' | 'max'): Accumulator {
  let best: number | string | undefined
  const isBetter = (value: number | string) => best === undefined || (name === 'min' ? value < best : value > best)
  return {
    add(value) {
      if (typeof value !== 'number' && (typeof value !== 'string' || value === '')) return false
      if (best !== undefined && typeof best !== typeof value) return false
      if (isBetter(value)) best = value
      return true
    },
    result: () => best ?? null,
  }
}

const isMissing = (value: unknown): boolean => value === null || value === undefined || value === ''

/** Removes the digits that are an artefact of binary fractions: 0.30000000000000004 becomes 0.3. */
const withoutNoise = (value: number): number => Number(value.toPrecision(15))
