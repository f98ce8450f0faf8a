/**
 * How many mistakes make one word of another: letters that were added, left out or taken for another, and neighbours
 * that changed places (Damerau's distance, in its form of optimal string alignment).
 */
export function editDistance(one: string, other: string): number {
  const [first, second] = [Array.from(one), Array.from(other)]
  let [before, row]: [number[], number[]] = [[], Array.from({ length: second.length + 1 }, (_, at) => at)]
  for (const [line, letter] of first.entries()) {
    const next = [line + 1]
    for (const [at, wanted] of second.entries()) {
      const replaced = (row[at] ?? 0) + (letter === wanted ? 0 : 1)
      const least = Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1)
      const isSwapped = line > 0 && at > 0 && letter === second[at - 1] && first[line - 1] === wanted
      next.push(isSwapped ? Math.min(least, (before[at - 1] ?? 0) + 1) : least)
    }
    ;[before, row] = [row, next]
  }
  return row.at(-1) ?? 0
}
