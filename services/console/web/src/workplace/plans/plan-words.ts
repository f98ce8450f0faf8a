import type { Client } from '@wp/client/browser'
import { formatPeople } from '../buildings/space-words.ts'

export type PlanSchedule = Awaited<ReturnType<Client['solutions']['getPlanSchedule']>>
export type PlanDetail = Awaited<ReturnType<Client['solutions']['getPlan']>>

type Expectation = PlanDetail['expected']

/** Returns the expected people in words: `about 44, at most 52`. */
function expectedText(expected: Expectation): string {
  if (expected === null) return 'not known'
  const { mean, upper, measure } = expected
  const atOnce = measure === 'peak' ? ' at once' : ''
  if (mean === 0 && !upper) return '0'
  return upper === null || upper === 0
    ? `about ${formatPeople(mean)}${atOnce}`
    : `about ${formatPeople(mean)}${atOnce}, at most ${formatPeople(upper)}`
}

/** Returns the people of a floor in words, with those of closed floors: they sit elsewhere, or here. */
export function floorPeopleText({ expected, moved_people: moved = 0 }: PlanDetail['floors'][number]): string {
  if (moved <= -0.5) return `none; about ${formatPeople(-moved)} sit elsewhere`
  return moved < 0.5
    ? expectedText(expected)
    : `${expectedText(expected)}; and about ${formatPeople(moved)} of closed floors`
}

export const sourceNames = {
  forecast: 'From the newest forecast',
  profile: 'From the same weekday of the last 8 weeks',
  rest_day: 'The building is not open',
} as const

/** Returns a time of work: `7 h`, `1 h 30 min`. */
export function minutesText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), Math.round(minutes % 60)]
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ')
}

/** Returns a window of a day, or that there is none. */
export const windowText = (window: { from: string; to: string } | null, clock: (time: string) => string): string =>
  window === null ? 'off' : `${clock(window.from)} to ${clock(window.to)}`
