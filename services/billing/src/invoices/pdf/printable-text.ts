/** Characters that reorder or hide text: they would let a name print as something else. */
const hiddenCharacters = /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]+/g
/** Letters that are written from right to left. */
export const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
const leftToRight = /[A-Za-z0-9\u00c0-\u024f\u0370-\u052f]/
/** More combining marks on one character than any language uses would print over the lines above. */
const stackedMarks = /(\p{M}{4})\p{M}+/gu

/** Returns user text as one line of at most `maxLength` characters, in the order in which it is printed. */
export function printableLine(text: string, maxLength: number): string {
  const line = text
    .toWellFormed()
    .slice(0, 4 * maxLength)
    .normalize('NFC')
    .replace(controlCharacters, ' ')
    .replace(hiddenCharacters, '')
    .replace(stackedMarks, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  const cut = characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line
  return visualOrder(cut)
}

/** Returns user text as at most `maxLines` lines. */
export const printableLines = (text: string, maxLines: number, maxLength: number): string[] =>
  text
    .slice(0, 4 * maxLines * maxLength)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => printableLine(line, maxLength))
    .filter((line) => line !== '')
    .slice(0, maxLines)

/**
 * Returns the words in printing order. PDFKit prints words from left to right, and the letters of each in their own
 * direction. So in a line that begins right to left the words are reversed; those from left to right keep their order.
 */
function visualOrder(line: string): string {
  const first = [...line].find((character) => rightToLeft.test(character) || leftToRight.test(character))
  if (first === undefined || !rightToLeft.test(first)) return line
  const runs: string[][] = []
  let isLatin = false
  for (const word of line.split(' ')) {
    const isOther = !rightToLeft.test(word)
    if (isOther && isLatin) runs.at(-1)?.push(word)
    else runs.push([word])
    isLatin = isOther
  }
  return runs.reverse().flat().join(' ')
}
