import type { RegularSeries } from './series/regularize.ts'
import type { ComingPeriod, InputSeries, PastPeriod, Period, SeriesProfile } from './shapes.ts'
import { type Step, stepAfter } from './time/calendar.ts'

/** The probabilities of the quantiles of a coming period. */
export const quantileProbabilities: readonly number[] = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95]

/** The forecast of one step without the bound of the capacity. */
interface StepDemand {
  predicted: number
  quantiles: number[]
}

/** The history that a profile keeps: about ten weeks, with a margin for the weeks around a clock change. */
const pastDays = 72
const pastWeeks = 12

/** Summarizes the last weeks and the forecast of a series by day, or by week for a weekly series. */
export function profileOf(
  { key, capacity, measure }: InputSeries,
  regular: RegularSeries,
  unusualDates: ReadonlySet<number>,
  ahead: readonly Step[],
  demandAt: (step: Step) => StepDemand,
): SeriesProfile {
  const { grid, calendar, steps } = regular
  const kept = calendar.frequency === 'week' ? pastWeeks : pastDays * calendar.day
  const recent = steps.slice(-kept)
  const past = periodsOf(recent, regular, unusualDates).map(({ steps: members, ...period }): PastPeriod => {
    const indexes = members.map(({ cell }) => cell - grid.first)
    const observed = indexes.filter((index) => grid.observed[index] === 1)
    const isObserved = observed.length > 0
    return { ...period, peak: highest((isObserved ? observed : indexes).map((i) => grid.values[i] ?? 0)), isObserved }
  })
  const coming = periodsOf(ahead, regular, unusualDates).map(({ steps: members, ...period }): ComingPeriod => {
    const demands = members.map(demandAt)
    // The highest quantiles of the steps: the busiest step decides about the period.
    const quantiles = quantileProbabilities.map((_, which) => highest(demands.map((one) => one.quantiles[which] ?? 0)))
    return { ...period, peak: highest(demands.map(({ predicted }) => predicted)), quantiles }
  })
  return { key, ...(capacity !== undefined && { capacity }), ...(measure && { measure }), past, coming }
}

/** Returns the probability that the peak of a period exceeds a value, between 0.05 and 0.95 in proportion. */
export function probabilityAbove({ quantiles }: Pick<ComingPeriod, 'quantiles'>, value: number): number {
  const next = quantiles.findIndex((quantile) => quantile > value)
  if (next === 0) return 1 - (quantileProbabilities[0] ?? 0) / 2
  if (next < 0) return (1 - (quantileProbabilities.at(-1) ?? 1)) / 2
  const [below = 0, above = 0] = [quantiles[next - 1], quantiles[next]]
  const [from = 0, to = 0] = [quantileProbabilities[next - 1], quantileProbabilities[next]]
  return 1 - (from + ((to - from) * (value - below)) / (above - below))
}

type PeriodWithSteps = Omit<Period, 'peak'> & { steps: Step[] }

/** Groups steps by local day, or each by itself for weeks. */
function periodsOf(
  steps: readonly Step[],
  regular: RegularSeries,
  unusualDates: ReadonlySet<number>,
): PeriodWithSteps[] {
  const { calendar, zone } = regular
  const groups: { date: number | null; steps: Step[] }[] = []
  for (const step of steps) {
    const date = calendar.dateOf(step.cell)
    const current = groups.at(-1)
    if (current !== undefined && date !== null && current.date === date) current.steps.push(step)
    else groups.push({ date, steps: [step] })
  }
  return groups.flatMap(({ date, steps: members }) => {
    const [first, last] = [members[0], members.at(-1)]
    if (first === undefined || last === undefined) return []
    const { day, slotOf } = calendar
    const isComplete = slotOf(first.cell) % day === 0 && slotOf(last.cell) % day === day - 1
    return [
      {
        startMs: first.startMs,
        endMs: stepAfter(calendar, zone, last).startMs,
        date,
        weekday: date === null ? null : Math.floor(slotOf(first.cell) / day),
        isUsual: date !== null && isComplete && !unusualDates.has(date),
        steps: members,
      },
    ]
  })
}

const highest = (values: readonly number[]): number =>
  values.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY)
