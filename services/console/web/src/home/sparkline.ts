/** The paths of a small chart whose view box is `0 0 100 100`. */
export interface Sparkline {
  mean: string
  /** Between the lower and the upper bound; empty without an interval. */
  band: string
  /** Empty without a capacity. */
  capacity: string
}

const size = 100
/** Free space above the highest and below the lowest value, so that lines are not cut. */
const margin = 4

/**
 * Returns the paths of a forecast. The axis of values begins at 0.
 * @param bounds lower and upper bound of each value
 */
export function sparkline(
  means: readonly number[],
  bounds: readonly (readonly [lower: number, upper: number])[],
  capacity: number | undefined,
): Sparkline {
  const values = [0, ...means, ...bounds.flat(), ...(capacity === undefined ? [] : [capacity])]
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const round = (value: number) => Math.round(value * 100) / 100
  const x = (index: number) => round(means.length < 2 ? 0 : (index * size) / (means.length - 1))
  const y = (value: number) => round(size - margin - ((value - lowest) / (highest - lowest || 1)) * (size - 2 * margin))
  const line = (points: readonly (readonly [index: number, value: number])[]) =>
    points.map(([index, value], place) => `${place === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('')
  const uppers = bounds.map(([, upper], index) => [index, upper] as const)
  const lowers = bounds.map(([lower], index) => [index, lower] as const)
  return {
    mean: line(means.map((value, index) => [index, value] as const)),
    band: bounds.length === 0 ? '' : `${line([...uppers, ...lowers.toReversed()])}Z`,
    capacity: capacity === undefined ? '' : `M0 ${y(capacity)}L${size} ${y(capacity)}`,
  }
}
