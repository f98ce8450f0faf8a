/** The sizes of a company. Each has a default. */
export interface CompanyOptions {
  /** The same seed gives the same bytes. Default 7. */
  seed?: number
  /** People over the whole time, 40 to 10,000,000. Default 1,800. */
  people?: number
  /** Floors, 3 to 10,000. Default 12. With 12, 1,800 and a whole year some floors can close, as the truth says. */
  floors?: number
  /** Days, 1 to 3,660. Default 365. */
  days?: number
  /** `yyyy-mm-dd`. Default 2025-01-01. */
  firstDay?: string
}

const bounds = { seed: [0, 2 ** 31 - 1], people: [40, 10_000_000], floors: [3, 10_000], days: [1, 3_660] } as const

/** @throws RangeError naming the option that is out of bounds */
export function readOptions(options: CompanyOptions): Readonly<Required<CompanyOptions>> {
  const { seed = 7, people = 1_800, floors = 12, days = 365, firstDay = '2025-01-01' } = options
  const numbers = { seed, people, floors, days }
  for (const name of ['seed', 'people', 'floors', 'days'] as const) {
    const [min, max] = bounds[name]
    if (!Number.isInteger(numbers[name]) || numbers[name] < min || numbers[name] > max)
      throw new RangeError(`${name} must be a whole number from ${min} to ${max}, not ${numbers[name]}`)
  }
  const isDate = /^\d{4}-\d\d-\d\d$/.test(firstDay) && !Number.isNaN(Date.parse(firstDay))
  if (!isDate || new Date(firstDay).toISOString().slice(0, 10) !== firstDay)
    throw new RangeError(`firstDay must be a date such as 2025-01-01, not ${firstDay}`)
  return { ...numbers, firstDay }
}
