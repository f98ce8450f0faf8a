import type { Company } from '../model/company.ts'

/** The name of a room or of the desks of a zone in the booking system, such as `Berlin A | Room 1.02`. */
export function bookingName({ spaces }: Company, space: number): string {
  const own = spaces[space]
  const building = spaces[spaces[own?.parent ?? -1]?.parent ?? -1]
  return own?.kind === 'zone' ? `${building?.name} | Desks ${own.name.slice(5)}` : `${building?.name} | ${own?.name}`
}

/** The names of the counters in their exports. */
export const sensorNames = { door: 'CTR-0001 main door', camera: 'CAM-0002 ceiling' } as const

export const employeeNumber = (person: number): string => `E${String(person + 1).padStart(6, '0')}`
export const personName = (person: number): string => `Person ${String(person + 1).padStart(4, '0')}`

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** Formats a minute of the day as `08:57`. */
export const formatMinute = (minute: number): string =>
  `${twoDigits[Math.floor(minute / 60)]}:${twoDigits[minute % 60]}`

/** Formats a second of the day as `08:57:12`. */
export const formatSecond = (second: number): string =>
  `${formatMinute(Math.floor(second / 60))}:${twoDigits[second % 60]}`
