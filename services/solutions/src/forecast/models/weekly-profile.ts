import type { History, Model } from './model.ts'
import { weeklyPattern } from './weekly-pattern.ts'

/** The age at which a week has half the weight. */
const halfLifeWeeks = 2
/** The share of a level change in the last week that is extrapolated. */
const damping = 0.6

/** Predicts the usual week. */
export function weeklyProfile(): Model {
  return {
    name: 'weekly_profile',
    needs: 1,
    predict: (history, cells) => repeatPattern(history, weeklyPattern(history, halfLifeWeeks), cells),
  }
}

/** The weekly profile, scaled by the damped ratio of the last seven days to the profile. */
export function weeklyProfileLevel(): Model {
  return {
    name: 'weekly_profile_level',
    needs: 1,
    predict: (history, cells) => {
      const pattern = weeklyPattern(history, halfLifeWeeks)
      const level = recentLevel(history, pattern, damping)
      return repeatPattern(history, pattern, cells).map((value) => value * level)
    },
  }
}

/** Returns the damped ratio of the last seven days to the pattern, between a half and double before damping. */
export function recentLevel({ values, calendar }: History, pattern: Float64Array, dampingOfLevel: number): number {
  const usual = pattern.reduce((sum, value) => sum + value, 0)
  const recent = values.slice(-calendar.season).reduce((sum, value) => sum + value, 0)
  const ratio = usual > 0 && recent > 0 ? Math.min(2, Math.max(0.5, recent / usual)) : 1
  return ratio ** dampingOfLevel
}

/** Returns the values of the slots after the history. */
function repeatPattern({ values, first, calendar }: History, pattern: Float64Array, cells: number): Float64Array {
  const next = first + values.length
  return Float64Array.from({ length: cells }, (_, ahead) => pattern[calendar.slotOf(next + ahead)] ?? 0)
}
