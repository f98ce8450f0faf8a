const daysInMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Returns true for a date of the calendar; 30 February is none. */
export function isDate(year: number, month: number, day: number): boolean {
  if (year < 100 || year > 9999 || month < 1 || month > 12 || day < 1) return false
  return day <= (month === 2 && isLeapYear(year) ? 29 : (daysInMonths[month - 1] ?? 0))
}

/** Years of the Buddhist calendar that are 2000 to 2100; no time of a workplace is as far away. */
const [firstBuddhistYear, lastBuddhistYear, buddhistOffset] = [2543, 2643, 543]

/** Returns a year of the Buddhist calendar as one of the Gregorian, which differ in nothing else. */
export const gregorianYear = (year: number): number =>
  year >= firstBuddhistYear && year <= lastBuddhistYear ? year - buddhistOffset : year

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** Returns true for a time of the day; 24:00 is its end. A second may be a leap second. */
export function isTime(hour: number, minute: number, second: number, hasFraction = false): boolean {
  if (hour === 24) return minute === 0 && second === 0 && !hasFraction
  return hour < 24 && minute < 60 && second <= 60
}

/** Returns the next day as year, month and day. */
export function nextDay(year: number, month: number, day: number): [number, number, number] {
  const next = new Date(Date.UTC(year, month - 1, day + 1))
  return [next.getUTCFullYear(), next.getUTCMonth() + 1, next.getUTCDate()]
}
