import type { UsageRange, UsageStep } from './choices.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const daysOf = { '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const satisfies Record<
  Exclude<UsageRange, 'period'>,
  number
>

/** The API reports hours of at most 31 days. */
const maxHourlyDays = 31

/**
 * Returns the query of a range: whole days (UTC) up to the end of today. The current period of the plan is the default.
 */
export function rangeQuery(range: UsageRange, now: number): { since?: string; until?: string } {
  if (range === 'period') return {}
  const end = now - (now % dayMs) + dayMs
  return { since: new Date(end - daysOf[range] * dayMs).toISOString(), until: new Date(end).toISOString() }
}

/** Returns the steps that a range can be shown in. */
export function stepsOf(range: UsageRange): readonly UsageStep[] {
  if (range === 'period') return ['hour', 'day']
  const days = daysOf[range]
  return [
    ...(days <= maxHourlyDays ? (['hour'] as const) : []),
    'day',
    ...(days > maxHourlyDays ? (['month'] as const) : []),
  ]
}

/** The quantities of a period in equal steps, also where nothing was used. */
export interface UsageSeries {
  /** Milliseconds since 1970. */
  times: number[]
  quantities: number[]
}

/** Fills the steps of a period that has begun with the quantities of a report. Steps are those of UTC. */
export function fillSteps(
  groups: readonly { start: string | null; quantity: number }[],
  period: { start: string; end: string },
  step: UsageStep,
  now: number,
): UsageSeries {
  const quantities = new Map(groups.map(({ start, quantity }) => [Date.parse(start ?? ''), quantity]))
  const end = Math.min(Date.parse(period.end), now)
  const times: number[] = []
  for (let time = startOfStep(Date.parse(period.start), step); time < end; time = nextStep(time, step)) times.push(time)
  return { times, quantities: times.map((time) => quantities.get(time) ?? 0) }
}

function startOfStep(time: number, step: UsageStep): number {
  const at = new Date(time)
  if (step === 'month') return Date.UTC(at.getUTCFullYear(), at.getUTCMonth())
  return time - (time % (step === 'hour' ? hourMs : dayMs))
}

function nextStep(time: number, step: UsageStep): number {
  const at = new Date(time)
  if (step === 'month') return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)
  return time + (step === 'hour' ? hourMs : dayMs)
}
