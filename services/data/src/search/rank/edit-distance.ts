/** Returns the Damerau-Levenshtein distance of two words, in its optimal string alignment form, by code points. */
export function editDistance(first: string, second: string): number {
  const [rows, columns] = [Array.from(first), Array.from(second)]
  let [beforePrevious, previous]: [number[], number[]] = [[], Array.from({ length: columns.length + 1 }, (_, at) => at)]
  for (const [line, letter] of rows.entries()) {
    const current = [line + 1]
    for (const [at, other] of columns.entries()) {
      const substitution = (previous[at] ?? 0) + (letter === other ? 0 : 1)
      const least = Math.min(substitution, (previous[at + 1] ?? 0) + 1, (current[at] ?? 0) + 1)
      const isTransposed = line > 0 && at > 0 && letter === columns[at - 1] && rows[line - 1] === other
      current.push(isTransposed ? Math.min(least, (beforePrevious[at - 1] ?? 0) + 1) : least)
    }
    ;[beforePrevious, previous] = [previous, current]
  }
  return previous.at(-1) ?? 0
}
