import { withWholeLastDay } from '@wp/contracts'
import type { Conditions, Filters } from '../data/filters.ts'
import type { LocalTimes } from './time-bucket.ts'

type Scalar = string | number | boolean

/**
 * Returns a function that tells if a row, as values by field name, has all conditions. Case of letters is ignored.
 * @param localTimes convert the times in UTC of a field to those of its time zone, by which days and times without a
 * zone are compared
 */
export function createFilter(
  filters: Filters,
  localTimes: ReadonlyMap<string, LocalTimes> = new Map(),
): (valueAt: (field: string) => unknown) => boolean {
  const tests = Object.entries(filters).map(([field, condition]) => ({
    field,
    test: createTest(typeof condition === 'object' ? condition : { in: [condition] }, localTimes.get(field)),
  }))
  return (valueAt) => tests.every(({ field, test }) => test(valueAt(field)))
}

type Test = (value: unknown) => boolean

function createTest(conditions: Conditions, toLocal: LocalTimes = (value) => value): Test {
  const { in: among, not, exists } = conditions
  const tests: Test[] = []
  if (among !== undefined) tests.push(equalTo(among, toLocal))
  if (not !== undefined) {
    const isExcluded = equalTo(Array.isArray(not) ? not : [not], toLocal)
    tests.push((value) => !isExcluded(value))
  }
  if (exists !== undefined) tests.push((value) => (value !== null && value !== undefined && value !== '') === exists)
  const bounds = withWholeLastDay(conditions)
  for (const name of ['gt', 'gte', 'lt', 'lte'] as const) {
    const bound = bounds[name]
    if (bound !== undefined) tests.push(boundTest(name, bound, toLocal))
  }
  return (value) => tests.every((test) => test(value))
}

function equalTo(wanted: readonly Scalar[], toLocal: LocalTimes): Test {
  const values = new Set(wanted.map(comparable))
  const isWanted = (value: unknown) => isScalar(value) && values.has(comparable(value))
  return (value) => isWanted(value) || isWanted(toLocal(value))
}

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value)

/** Equal for `Berlin` and `berlin`, for 7 and "7", and for `2026-03-05 09:30` and `2026-03-05T09:30:00`. */
const comparable = (value: Scalar): string => toIsoText(String(value).trim()).toLowerCase()

/** Compares numbers with numbers and texts with texts. */
function boundTest(name: 'gt' | 'gte' | 'lt' | 'lte', bound: string | number, toLocal: LocalTimes): Test {
  const isWithin = comparisons[name]
  if (typeof bound === 'number') return (value) => typeof value === 'number' && isWithin(value, bound)
  if (hasZone(bound)) {
    const instant = Date.parse(bound)
    return (value) => typeof value === 'string' && hasZone(value) && isWithin(Date.parse(value), instant)
  }
  const text = toIsoText(bound)
  return (value) => {
    const local = toLocal(value)
    return typeof local === 'string' && isWithin(toIsoText(local), text)
  }
}

const comparisons = {
  gt: <T extends string | number>(value: T, bound: T) => value > bound,
  gte: <T extends string | number>(value: T, bound: T) => value >= bound,
  lt: <T extends string | number>(value: T, bound: T) => value < bound,
  lte: <T extends string | number>(value: T, bound: T) => value <= bound,
}

const hasZone = (text: string): boolean => /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text)

/** Returns a local time as `2026-03-05T09:30:00`, so that times compare as text; any other text as it is. */
function toIsoText(text: string): string {
  const [, day, minute, second = ':00'] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?$/.exec(text) ?? []
  return day === undefined ? text : `${day}T${minute}${second}`
}
