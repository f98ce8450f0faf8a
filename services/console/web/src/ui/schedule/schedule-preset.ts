import { describeInterval, type Schedule } from './schedule-text.ts'

export type TimedSchedule = Extract<Schedule, { type: 'cron' }>

interface Choice {
  value: string
  label: string
}

const intervals = [900, 3600, 21_600, 86_400]
const defaultTime = { hour: '6', minute: '30' }

export const weekdayChoices: readonly Choice[] = [
  { value: 'mon', label: 'Monday' },
  { value: 'tue', label: 'Tuesday' },
  { value: 'wed', label: 'Wednesday' },
  { value: 'thu', label: 'Thursday' },
  { value: 'fri', label: 'Friday' },
  { value: 'sat', label: 'Saturday' },
  { value: 'sun', label: 'Sunday' },
]

const timed: readonly Choice[] = [
  { value: 'weekdays', label: 'On weekdays at a time' },
  { value: 'daily', label: 'Every day at a time' },
  { value: 'weekly', label: 'Every week at a time' },
  { value: 'monthly', label: 'On the first of every month' },
]
const other: Choice = { value: 'cron', label: 'Other times' }

/** Ways to say when, as a person picks them; `cron` for all others. */
export const timedPresets: readonly Choice[] = [...timed, { value: 'hourly', label: 'Every hour' }, other]

/** The same with intervals, and with no time at all. */
export const allPresets: readonly Choice[] = [
  { value: 'manual', label: 'Only when started' },
  ...intervals.map((seconds) => ({ value: String(seconds), label: sentence(describeInterval(seconds)) })),
  ...timed,
  { value: 'interval', label: 'Another interval' },
  other,
]

/** Returns the preset as which a person would have picked a schedule. */
export function presetOf(schedule: Schedule): string {
  if (schedule.type === 'manual') return 'manual'
  if (schedule.type === 'interval')
    return intervals.includes(schedule.interval_seconds) ? String(schedule.interval_seconds) : 'interval'
  const { expression } = schedule
  if (expression === '0 * * * *') return 'hourly'
  const time = timeOf(expression)
  if (time === undefined) return 'cron'
  const weekday = weekdayOf(expression)
  return (
    ['weekdays', 'daily', 'weekly', 'monthly'].find((one) => cronOf(one, { ...time, weekday }) === expression) ?? 'cron'
  )
}

/** Returns the schedule of a preset, with the time and the day that were picked before. */
export function scheduleOf(preset: string, current: Schedule, timezone: string): Schedule {
  if (preset === 'manual') return { type: 'manual' }
  if (preset === 'interval') return { type: 'interval', interval_seconds: 7200 }
  if (Number(preset) > 0) return { type: 'interval', interval_seconds: Number(preset) }
  const expression = current.type === 'cron' ? current.expression : ''
  const picked = { ...(timeOf(expression) ?? defaultTime), weekday: weekdayOf(expression) }
  const next = cronOf(preset, picked) ?? (expression || cronOf('daily', picked) || '')
  return { type: 'cron', expression: next, timezone }
}

/** Returns an expression with another time of the day: `07:00`. */
export function withTime(expression: string, time: string): string {
  const [hour = '0', minute = '0'] = time.split(':')
  return [Number(minute), Number(hour), ...expression.split(' ').slice(2)].join(' ')
}

/** Returns the hour and the minute of an expression that has one of each. */
export function timeOf(expression: string): { hour: string; minute: string } | undefined {
  const [minute = '', hour = ''] = expression.trim().split(/\s+/)
  return /^\d+$/.test(minute) && /^\d+$/.test(hour) ? { hour, minute } : undefined
}

/** Returns the weekday of an expression; Monday if it has not one of them. */
export function weekdayOf(expression: string): string {
  const weekday = expression.trim().split(/\s+/)[4]
  return weekdayChoices.find(({ value }) => value === weekday)?.value ?? 'mon'
}

function cronOf(
  preset: string,
  { hour, minute, weekday }: { hour: string; minute: string; weekday: string },
): string | undefined {
  const days = { weekdays: '* * mon-fri', daily: '* * *', weekly: `* * ${weekday}`, monthly: '1 * *' }
  if (preset === 'hourly') return '0 * * * *'
  const ofPreset = Object.entries(days).find(([name]) => name === preset)?.[1]
  return ofPreset && `${Number(minute)} ${Number(hour)} ${ofPreset}`
}

/** Begins a description with a capital. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
