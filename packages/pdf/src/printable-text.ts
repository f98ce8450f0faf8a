/** Characters that reorder or hide text: they would let a name print as something else. */
const hiddenCharacters = /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]+/g
/** More combining marks on one character than any language uses would print over the lines above. */
const stackedMarks = /(\p{M}{4})\p{M}+/gu

/** Returns user text as one line of at most `maxLength` characters. */
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
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line
}

/** Returns user text as at most `maxLines` lines. */
export const printableLines = (text: string, maxLines: number, maxLength: number): string[] =>
  text
    .slice(0, 4 * maxLines * maxLength)
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => printableLine(line, maxLength))
    .filter((line) => line !== '')
    .slice(0, maxLines)
