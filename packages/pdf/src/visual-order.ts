/** Letters that are written from right to left. */
export const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
const leftToRight = /[A-Za-z0-9\u00c0-\u024f\u0370-\u052f]/
const letter = /\p{L}/u

/**
 * Returns the words of a line in printing order. PDFKit prints words from left to right, and the letters of each in
 * their own direction. So in a line from right to left the words are reversed, and those from left to right keep their
 * order among themselves; in a line from left to right it is the other way round.
 *
 * @param direction of the line; default that of its first letter or digit
 */
export function visualOrder(line: string, direction?: 'ltr'): string {
  if (!rightToLeft.test(line)) return line
  const words = line.split(' ')
  if (direction === 'ltr' || startsLeftToRight(line)) return reverseRuns(words).join(' ')
  const runs: string[][] = []
  let isLatin = false
  for (const word of words) {
    const isOther = !rightToLeft.test(word)
    if (isOther && isLatin) runs.at(-1)?.push(word)
    else runs.push([word])
    isLatin = isOther
  }
  return runs.reverse().flat().join(' ')
}

function startsLeftToRight(line: string): boolean {
  const first = [...line].find((character) => rightToLeft.test(character) || leftToRight.test(character))
  return first === undefined || !rightToLeft.test(first)
}

/** Reverses each run of words from right to left. A number between two of them belongs to the run. */
function reverseRuns(words: readonly string[]): string[] {
  const ordered: string[] = []
  for (let at = 0; at < words.length; ) {
    let end = at
    for (let next = at; next < words.length; next++) {
      const word = words[next] ?? ''
      if (rightToLeft.test(word)) end = next + 1
      else if (letter.test(word) || end === at) break
    }
    ordered.push(...(end > at ? words.slice(at, end).reverse() : words.slice(at, at + 1)))
    at = Math.max(end, at + 1)
  }
  return ordered
}
