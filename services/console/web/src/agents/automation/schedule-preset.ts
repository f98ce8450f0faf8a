/** Ways to say when, as a person picks them; `cron` for all others. */
export const schedulePresets = [
  { value: 'weekdays', label: 'On weekdays' },
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'Every week' },
  { value: 'monthly', label: 'On the first of every month' },
  { value: 'hourly', label: 'Every hour' },
  { value: 'cron', label: 'Other times' },
] as const
export type SchedulePreset = (typeof schedulePresets)[number]['value']

/** A schedule as a person picks it. */
export interface PickedSchedule {
  preset: SchedulePreset
  /** Hour and minute, `07:00`. */
  time: string
  /** Day of a weekly schedule, as a cron expression names it. */
  weekday: string
  /** The expression of `cron`. */
  expression: string
}

export const weekdayChoices = [
  { value: 'mon', label: 'Monday' },
  { value: 'tue', label: 'Tuesday' },
  { value: 'wed', label: 'Wednesday' },
  { value: 'thu', label: 'Thursday' },
  { value: 'fri', label: 'Friday' },
  { value: 'sat', label: 'Saturday' },
  { value: 'sun', label: 'Sunday' },
]

/** Returns the cron expression of a picked schedule. */
export function toCron({ preset, time, weekday, expression }: PickedSchedule): string {
  const [hour = '0', minute = '0'] = time.split(':')
  const at = `${Number(minute)} ${Number(hour)}`
  switch (preset) {
    case 'weekdays':
      return `${at} * * mon-fri`
    case 'daily':
      return `${at} * * *`
    case 'weekly':
      return `${at} * * ${weekday}`
    case 'monthly':
      return `${at} 1 * *`
    case 'hourly':
      return '0 * * * *'
    case 'cron':
      return expression
  }
}

/** Returns a stored expression as a person would have picked it. */
export function fromCron(expression: string): PickedSchedule {
  const [minute = '', hour = '', ...days] = expression.trim().split(/\s+/)
  const picked = { time: '07:00', weekday: 'mon', expression }
  if (expression === '0 * * * *') return { ...picked, preset: 'hourly' }
  if (!/^\d+$/.test(minute) || !/^\d+$/.test(hour)) return { ...picked, preset: 'cron' }
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  const [, , weekday = ''] = days
  const rest = days.join(' ')
  if (rest === '* * mon-fri') return { ...picked, time, preset: 'weekdays' }
  if (rest === '* * *') return { ...picked, time, preset: 'daily' }
  if (rest === '1 * *') return { ...picked, time, preset: 'monthly' }
  if (rest === `* * ${weekday}` && weekdayChoices.some(({ value }) => value === weekday))
    return { ...picked, time, weekday, preset: 'weekly' }
  return { ...picked, preset: 'cron' }
}
