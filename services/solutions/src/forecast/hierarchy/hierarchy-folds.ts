/** Days before the first fold: the least, and those that let every model learn a year. */
export const minTraining = 56
const preferredTraining = 364
export const minFolds = 3
const maxFolds = 12
/** Folds test a year at most. */
const maxSpan = 364
const week = 7

/** Returns the days of history that a forecast of so many days needs: eight weeks to fit, and three folds to test. */
export function minimumDays(horizon: number): number {
  return minTraining + (minFolds - 1) * week + wholeWeeks(horizon)
}

/** The last fold begins whole weeks before the end. */
const wholeWeeks = (horizon: number): number => week * Math.ceil(horizon / week)

/**
 * Plans folds of the full horizon, oldest first, as days from their origin to the end of the history. They are whole
 * weeks apart, so that a step ahead is of the same weekday in all of them and in the forecast.
 */
export function planHierarchyFolds(length: number, horizon: number): number[] {
  const last = wholeWeeks(horizon)
  const room = Math.min(maxSpan, length - last - minTraining)
  const beyondYear = Math.min(maxSpan, length - last - preferredTraining)
  const span = beyondYear >= 6 * week ? beyondYear : room
  const spacing = week * Math.max(1, Math.ceil(span / (maxFolds - 1) / week))
  const count = Math.min(maxFolds, Math.floor(span / spacing) + 1)
  return Array.from({ length: count }, (_, index) => last + (count - 1 - index) * spacing)
}

/** Returns the numbers of the folds that share no day with a fold; of all others if that leaves fewer than two. */
export function foldsApart(backs: readonly number[], horizon: number, fold: number): number[] {
  const others = backs.map((_, number) => number).filter((number) => number !== fold)
  const apart = others.filter((number) => Math.abs((backs[number] ?? 0) - (backs[fold] ?? 0)) >= horizon)
  return apart.length >= 2 ? apart : others
}

/** Returns the number of independent folds that overlapping ones amount to, at least 3. */
export function independentFolds(backs: readonly number[], used: readonly number[], horizon: number): number {
  const days = new Set<number>()
  for (const fold of used) for (let ahead = 0; ahead < horizon; ahead += 1) days.add((backs[fold] ?? 0) - ahead)
  return Math.max(3, Math.round(days.size / horizon))
}
