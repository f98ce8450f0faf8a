import type { Conditions, Filters } from '../data/filters.ts'

type Scalar = string | number | boolean

/** Returns a function that tells if a row, as values by field name, has all conditions. Case of letters is ignored. */
export function createFilter(filters: Filters): (valueAt: (field: string) => unknown) => boolean {
  const tests = Object.entries(filters).map(([field, condition]) => ({
    field,
    test: typeof condition === 'object' ? createTest(condition) : equalTo([condition]),
  }))
  return (valueAt) => tests.every(({ field, test }) => test(valueAt(field)))
}

type Test = (value: unknown) => boolean

function createTest(conditions: Conditions): Test {
  const { in: among, not, exists } = conditions
  const tests: Test[] = []
  if (among !== undefined) tests.push(equalTo(among))
  if (not !== undefined) {
    const isExcluded = equalTo(Array.isArray(not) ? not : [not])
    tests.push((value) => !isExcluded(value))
  }
  if (exists !== undefined) tests.push((value) => (value !== null && value !== undefined && value !== '') === exists)
  for (const name of ['gt', 'gte', 'lt', 'lte'] as const) {
    const bound = conditions[name]
    if (bound !== undefined) tests.push(boundTest(name, bound))
  }
  return (value) => tests.every((test) => test(value))
}

function equalTo(wanted: readonly Scalar[]): Test {
  const values = new Set(wanted.map(comparable))
  return (value) => isScalar(value) && values.has(comparable(value))
}

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value)

/** Equal for `Berlin` and `berlin`, and for 7 and "7". */
const comparable = (value: Scalar): string => String(value).trim().toLowerCase()

/** Compares numbers with numbers and texts with texts. A day as bound of times stands for its beginning. */
function boundTest(name: 'gt' | 'gte' | 'lt' | 'lte', bound: string | number): Test {
  return (value) => {
    if (typeof value !== typeof bound || (typeof value !== 'number' && typeof value !== 'string')) return false
    if (name === 'gt') return value > bound
    if (name === 'gte') return value >= bound
    return name === 'lt' ? value < bound : value <= bound
  }
}
