/** Returns the width of a text in points. */
export type Measure = (text: string) => number

/** Returns a text that is not wider than `width`: all of it, or its beginning with an ellipsis. */
export function fitText(measure: Measure, text: string, width: number): string {
  if (measure(text) <= width) return text
  const length = fittingLength(text, (start) => measure(`${start}…`) <= width)
  return `${text.slice(0, length).trimEnd()}…`
}

/**
 * Breaks a text into at most `maxLines` lines of at most `width`: between words, and within a word that is wider than a
 * line. The last line ends with an ellipsis if more would follow.
 */
export function wrapText(measure: Measure, text: string, width: number, maxLines: number): string[] {
  const lines: string[] = []
  let rest = text
  while (rest !== '') {
    if (lines.length === maxLines - 1 || measure(rest) <= width) return [...lines, fitText(measure, rest, width)]
    const longest = fittingLength(rest, (start) => measure(start) <= width)
    const fits = Math.max(1, longest)
    // A space after the last character that fits belongs to no line.
    const space = rest.lastIndexOf(' ', fits)
    const end = space > 0 ? space : fits
    lines.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return lines
}

/** Returns the length of the longest start that fits, in UTF-16 units but never within a character. */
function fittingLength(text: string, fits: (start: string) => boolean): number {
  // By bisection, because measuring is the expensive part; the end is looked for within what may be a line.
  const characters = [...text.slice(0, maxLineLength)]
  let most = 0
  let tooMany = characters.length + 1
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2)
    if (fits(characters.slice(0, middle).join(''))) most = middle
    else tooMany = middle
  }
  return characters.slice(0, most).join('').length
}

/** More characters than a line of A4 has in any size that is printed. */
const maxLineLength = 400
