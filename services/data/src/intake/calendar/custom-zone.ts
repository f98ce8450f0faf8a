import type { OffsetReader } from '../../schema/time-zone.ts'
import { CalendarFault, checkRule, type DayBudget, expandRule } from './expand-rule.ts'
import { localMsOf, type Property, parseProperty, parseRule } from './parse-property.ts'
import type { CalendarComponent } from './read-components.ts'

/** A change of the offset, in milliseconds. */
interface Change {
  instantMs: number
  from: number
  to: number
}

/** Changes of clocks are followed between these years: rules of Windows begin in 1601. */
const [firstMs, lastMs] = [Date.UTC(1970, 0, 1), Date.UTC(2101, 0, 1)]
const maxChanges = 2_000
/** Limit of the days that the rules of one zone are compared with. */
const maxDays = 500_000

/** Returns the reader of the offsets of a VTIMEZONE; undefined if it cannot be read. */
export function createCustomOffsets(component: CalendarComponent, budget: DayBudget): OffsetReader | undefined {
  try {
    const daysBefore = budget.days
    const changes: Change[] = []
    for (const observance of observancesOf(component)) {
      changes.push(...changesOf(observance, budget))
      if (budget.days - daysBefore > maxDays) return undefined
    }
    changes.sort((one, other) => one.instantMs - other.instantMs)
    const [first] = changes
    if (first === undefined) return undefined
    return (instantMs) => {
      let [low, high] = [0, changes.length]
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((changes[middle]?.instantMs ?? 0) <= instantMs) low = middle + 1
        else high = middle
      }
      return changes[low - 1]?.to ?? first.from
    }
  } catch (error) {
    if (error instanceof CalendarFault) return undefined
    throw error
  }
}

/** Returns the properties of each STANDARD and DAYLIGHT. */
function observancesOf({ properties, fault }: CalendarComponent): Property[][] {
  if (fault !== undefined) throw new CalendarFault(fault)
  const observances: Property[][] = []
  for (const { text, observance } of properties) {
    if (observance === 0) continue
    observances[observance - 1] ??= []
    observances[observance - 1]?.push(parseProperty(text))
  }
  return observances
}

/** Returns the changes of one observance (RFC 5545, section 3.6.5): its times are local, before the change. */
function changesOf(properties: readonly Property[], budget: DayBudget): Change[] {
  const firstValue = (name: string) => properties.find((property) => property.name === name)?.values[0]
  const [from, to] = [offsetMsOf(firstValue('tzoffsetfrom')), offsetMsOf(firstValue('tzoffsetto'))]
  const startMs = localMsOf(firstValue('dtstart'))
  const rule = firstValue('rrule')
  const dates = properties.filter(({ name }) => name === 'rdate').flatMap(({ values }) => values.map(localMsOf))
  const onsets = new Set([startMs, ...dates])
  if (rule !== undefined) {
    const { rule: recur, count, untilMs, isUtc } = parseRule(rule)
    checkRule(recur)
    const endMs = Math.min(lastMs, untilMs === undefined ? lastMs : isUtc ? untilMs + from : untilMs)
    for (const time of expandRule(recur, { startMs, endMs, fromMs: firstMs }, budget)) {
      if (time === undefined) continue
      onsets.add(time)
      if (onsets.size >= Math.min(count ?? maxChanges, maxChanges)) break
    }
  }
  return [...onsets].map((onset) => ({ instantMs: onset - from, from, to }))
}

function offsetMsOf(value: unknown): number {
  const [, sign, hours, minutes, seconds = '0'] = /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(String(value)) ?? []
  if (sign === undefined) throw new CalendarFault('has no offset')
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
  return sign === '-' ? -size : size
}
