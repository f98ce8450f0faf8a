const [hourMs, minuteMs] = [3_600_000, 60_000]
const dayMs = 24 * hourMs

/** An hour with or without minutes, seconds and half of the day: `8`, `08:30`, `8h30`, `8:30 PM`, `8 Uhr`. */
const oneTime = String.raw`(\d{1,2})(?:[:h](\d{2})(?::(\d{2})(?:[.,]0+)?)?)?\s?(?:([ap])\.?m\.?|h|Uhr)?`
const timePattern = new RegExp(`^${oneTime}$`, 'iu')
const rangePattern = new RegExp(String.raw`^${oneTime}\s?(?:-|–|—|to|bis|à)\s?${oneTime}$`, 'iu')
/** Hours and minutes without a mark between, which need their leading zeros to be told from other numbers. */
const compactPattern = /^(\d{2})(\d{2})$/
/** Spreadsheets keep a time of day as a time of their first day. */
const spreadsheetPattern = /^(?:1899-12-3[01]|1900-01-0[01])[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.0+)?Z?$/

/**
 * Reads an hour (`8`), a time of day (`08:30`, `8:30 AM`, 0.354166 as the part of a day) or the start of a range
 * (`0:00-0:59`).
 * @returns milliseconds since midnight, of which 24:00 has a whole day; undefined if the cell is none of them
 */
export function readTimeOfDay(cell: unknown): number | undefined {
  if (typeof cell === 'number' && cell > 0 && cell < 1) return Math.round((cell * dayMs) / minuteMs) * minuteMs
  if (typeof cell === 'number') return Number.isInteger(cell) ? toMs(String(cell)) : undefined
  if (typeof cell !== 'string') return undefined
  const text = cell.trim()
  const written = spreadsheetPattern.exec(text)?.[1] ?? text
  const [, hours, minutes] = compactPattern.exec(written) ?? []
  if (hours !== undefined) return toMs(hours, minutes)
  const time = timePattern.exec(written)
  if (time !== null) return toMs(time[1], time[2], time[3], time[4])
  const range = rangePattern.exec(written)
  if (range === null) return undefined
  const [, hour, minute, second, half, endHour, endMinute, endSecond, endHalf] = range
  const end = toMs(endHour, endMinute, endSecond, endHalf)
  // In "8-9 AM" the half of the day is that of both, unless the range crosses noon: then it says too little.
  if (half === undefined && endHalf !== undefined) return undefined
  return end === undefined ? undefined : toMs(hour, minute, second, half)
}

/**
 * Returns the end of a range, as a time of day; any other cell as it is. Undefined if the end does not state its half
 * of the day and is not after the start: "9 AM - 5" and "9-5" may end in the afternoon or on the next day.
 */
export function endOfRange(cell: unknown): unknown {
  const range = typeof cell === 'string' ? rangePattern.exec(cell.trim()) : null
  if (range === null) return cell
  const [, startHour, , , startHalf, hour = '', minute = '00', second = '00', half] = range
  if (half !== undefined) return `${hour}:${minute}:${second} ${half}m`
  const [start, end] = [readTimeOfDay(cell) ?? 0, toMs(hour, minute, second) ?? 0]
  // An hour with a leading zero is one of 24 hours, unless the start states its half of the day.
  const hasHalves = startHalf !== undefined || (Number(startHour) <= 12 && !hour.startsWith('0'))
  return hasHalves && Number(hour) > 0 && end <= start ? undefined : `${hour}:${minute}:${second}`
}

const [hourUnit, minuteUnit] = ['h|hrs?|hours?|std\\.?|stunden?|heures?|ore', 'min\\.?|mins?|minutes?|minuten?|minuti']
const durationPattern = new RegExp(`^(\\d+(?:[.,]\\d+)?) ?(${hourUnit}|${minuteUnit})$`, 'i')
const hoursAndMinutes = new RegExp(
  `^(\\d{1,3})(?: ?(?:${hourUnit}) ?|:)(\\d{1,2})(?: ?(?:m|${minuteUnit}))?(?::\\d{2})?$`,
  'i',
)

/**
 * Reads a duration: a text with its unit such as `1:30`, `90 min`, `1,5 h`, `PT1H30M` or `P1DT2H`, or a number.
 * @param minutesOf minutes of a number of 1; undefined if no unit is stated: whole numbers are minutes then, and others
 *   may be of hours, or parts of a day as spreadsheets have them
 * @returns undefined for anything else
 */
export function readDurationMinutes(cell: unknown, minutesOf?: number): number | undefined {
  const number =
    typeof cell === 'string' && /^\d+(?:[.,]\d+)?$/.test(cell.trim()) ? Number(cell.replace(',', '.')) : cell
  if (typeof number === 'number')
    return number < 0 || (minutesOf === undefined && !Number.isInteger(number)) ? undefined : number * (minutesOf ?? 1)
  if (typeof cell !== 'string') return undefined
  const [, days = '0', rest = ''] = /^(?:P(?:(\d{1,3})D)?T?(?=.|$))?(.*)$/i.exec(cell.trim()) ?? []
  const minutes = rest === '' && days !== '0' ? 0 : readUnits(rest)
  return minutes === undefined ? undefined : Number(days) * minutesPerDay + minutes
}

const minutesPerDay = 1_440

function readUnits(text: string): number | undefined {
  const [, hours, minutes] = hoursAndMinutes.exec(text) ?? []
  if (hours !== undefined) return Number(minutes) < 60 ? Number(hours) * 60 + Number(minutes) : undefined
  const [, amount, unit = ''] = durationPattern.exec(text.replace(/^(\d+)m$/i, '$1 min')) ?? []
  if (amount === undefined) return undefined
  const number = Number(amount.replace(',', '.'))
  return /^(?:h|std|stunde|ore)/i.test(unit) ? number * 60 : number
}

function toMs(hours = '', minutes = '0', seconds = '0', half?: string): number | undefined {
  const hour = Number(hours)
  if (Number(minutes) > 59 || Number(seconds) > 59) return undefined
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined
  const of24 = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const ms = of24 * hourMs + Number(minutes) * minuteMs + Number(seconds) * 1_000
  return hours === '' || ms < 0 || ms > dayMs ? undefined : ms
}
