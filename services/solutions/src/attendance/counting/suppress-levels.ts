import type { PrivacyRule } from '../../privacy/sensitive-cells.ts'
import { suppressLevels } from '../../privacy/suppress-levels.ts'
import { type DayOfWeek, hasHours, type SpaceFigures } from './count-day.ts'
import { hoursPerDay } from './figures.ts'

/**
 * Decides which levels of a day are withheld, whatever they are measured by: levels of counters and bookings about few
 * people, and all where the people of the space are withheld, on the day or in the hour.
 *
 * @param hiddenPeople the bits of the hours in which the people of a space are withheld, all of them if the day is
 * @returns the bits of the hours of each space
 */
export function suppressDayLevels(
  { spaces }: Pick<DayOfWeek, 'spaces'>,
  parents: Int32Array,
  hiddenPeople: readonly number[],
  { threshold }: PrivacyRule,
): Int32Array {
  const measured = spaces.filter(({ hourlyAverage }) => hourlyAverage.length === hoursPerDay)
  const places = new Map(measured.map(({ space }, place) => [space, place]))
  const measuredParents = Int32Array.from(measured, ({ space }) => {
    let above = parents[space] ?? -1
    while (above >= 0 && !places.has(above)) above = parents[above] ?? -1
    return places.get(above) ?? -1
  })
  const bits = new Int32Array(spaces.length)
  for (let hour = 0; hour < hoursPerDay; hour++) {
    const hidden = Uint8Array.from(measured, ({ space }) => ((hiddenPeople[space] ?? 0) >>> hour) & 1)
    suppressLevels(
      {
        parents: measuredParents,
        hidden,
        minutes: Int32Array.from(measured, ({ hourlyAverage }) => Math.round((hourlyAverage[hour] ?? 0) * 60)),
        sensitive: Uint8Array.from(measured, (figures) => Number(isAboutFew(figures, hour, threshold))),
      },
      threshold,
    )
    for (const [place, { space }] of measured.entries())
      if (hidden[place] === 1) bits[space] = (bits[space] ?? 0) | (1 << hour)
  }
  return bits
}

/**
 * Counters and bookings do not tell people apart: of their levels, the peak is the least number of different people.
 */
function isAboutFew(figures: SpaceFigures, hour: number, threshold: number): boolean {
  const isOfPeople = figures.source === 'badge_events' && hasHours(figures)
  const people = (isOfPeople ? figures.hourlyAttendance : figures.hourlyPeak)[hour] ?? 0
  return people > 0 && people < threshold
}
