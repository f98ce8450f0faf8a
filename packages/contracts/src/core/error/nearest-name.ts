/** Longer names are not compared: the comparison takes time proportional to the product of both lengths. */
const maxComparedLength = 60

/**
 * Returns the candidate that a misspelt name most probably means: the same letters in another case or with other
 * separators, or at most one wrong letter in three. Undefined if no candidate is that close.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > maxComparedLength) return undefined
  const given = lettersOf(name)
  let nearest: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const letters = lettersOf(candidate)
    const allowed = Math.max(1, Math.floor(Math.min(given.length, letters.length) / 3))
    if (letters.length > maxComparedLength || Math.abs(letters.length - given.length) > allowed) continue
    const distance = editDistance(given, letters)
    if (distance > allowed || distance >= fewest) continue
    nearest = candidate
    fewest = distance
  }
  return nearest
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]/g, '')

/** Returns the optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

const at = (distances: readonly number[], index: number): number => distances[index] ?? Number.POSITIVE_INFINITY
