import type { Highs } from 'highs'
import type { Model } from './model.ts'
import { TimeLimitError } from './program.ts'
import { placeOn } from './solve-model.ts'

/** A floor that is closed on a weekday, by position. */
export interface Closing {
  floor: number
  day: number
}

interface WeekOptions {
  /** `open[weekday][floor]`; floors that open again are added to it. */
  open: boolean[][]
  /** Floors that may open again, the first to do so last. */
  closings: readonly Closing[]
  gap: number
  secondsLeft: () => number
}

/**
 * Places the teams on the floors that are open: on each weekday with the model of the most places for which there is
 * room. Where there is none for any, floors open again.
 * @param models of ascending needs
 * @returns places by weekday, team and floor, and the needs by team and weekday
 * @throws TimeLimitError if no places were found in time
 */
export function placeWeek(
  highs: Highs,
  models: readonly Model[],
  { open, closings, gap, secondsLeft }: WeekOptions,
): { seats: number[][][]; needs: number[][] } {
  const seats: number[][][] = []
  const needs = models[0]?.teams.map((): number[] => []) ?? []
  for (const [day, ofDay] of open.entries()) {
    const place = () => {
      const options = { open: ofDay, dayBefore: seats[day - 1], gap, seconds: secondsLeft() / (open.length - day) }
      return placeDay(highs, models, day, options)
    }
    let placed = place()
    for (const { floor } of closings.filter((closing) => closing.day === day).reverse()) {
      if (placed !== null) break
      ofDay[floor] = true
      placed = place()
    }
    if (placed === null) throw new TimeLimitError()
    seats.push(placed.seats)
    for (const [team, own] of placed.needs.entries()) needs[team]?.push(own)
  }
  return { seats, needs }
}

function placeDay(
  highs: Highs,
  models: readonly Model[],
  day: number,
  { gap, seconds, ...options }: Parameters<typeof placeOn>[3] & { gap: number; seconds: number },
): { seats: number[][]; needs: number[] } | null {
  for (const model of models.toReversed()) {
    const needs = model.teams.map((team) => team.needs[day] ?? 0)
    if (needs.reduce((sum, count) => sum + count, 0) > placesOn(model.floors, options.open)) continue
    try {
      const seats = placeOn(highs, model, day, options, { seconds, gap })
      if (seats !== null) return { seats, needs }
    } catch (error) {
      // Fewer places are found sooner.
      if (!(error instanceof TimeLimitError)) throw error
    }
  }
  return null
}

/** Returns the places of the floors that are open. */
export const placesOn = (floors: readonly { capacity: number }[], open: readonly boolean[]): number =>
  floors.reduce((sum, { capacity }, floor) => sum + (open[floor] ? capacity : 0), 0)
