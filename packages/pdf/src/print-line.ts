import { contentWidth, type Font, ink, type Pdf, page } from './document.ts'
import { fitText, type Measure } from './fit-text.ts'

interface TextStyle {
  font?: Font
  size?: number
  color?: string
  width?: number
  align?: 'left' | 'right' | 'center'
  /** Of a sentence that may begin with a name; default by the first letter. */
  direction?: 'ltr' | undefined
}

/** Prints one line of text, cut with an ellipsis if it is wider than `width`. */
export function printLine(pdf: Pdf, text: string, x: number, y: number, style: TextStyle = {}): void {
  const { font = 'regular', size = 9, color = ink.text, width = contentWidth, align = 'left', direction } = style
  const { document } = pdf
  const measure = measureWith(pdf, font, size)
  document.fillColor(color)
  const line = visualOrder(fitText(measure, withBoxes(pdf, text), width), direction)
  const free = align === 'left' ? 0 : width - measure(line)
  // In a text of several words PDFKit puts the space of a word from right to left on its wrong side.
  const words = rightToLeft.test(line) ? line.split(' ') : [line]
  const spaceWidth = measure(' ')
  let left = x + (align === 'center' ? free / 2 : free)
  for (const word of words) {
    document.text(word, left, y, { lineBreak: false })
    left += measure(word) + spaceWidth
  }
}

/** Selects a font, and returns the function that measures text in it until another is selected. */
export function measureWith(pdf: Pdf, font: Font, size: number): Measure {
  const { document, nameFont } = pdf
  const boldNames = nameFont === 'names' ? 'names' : 'bold'
  document.font({ regular: 'regular', bold: 'bold', names: nameFont, boldNames }[font]).fontSize(size)
  return (text) => document.widthOfString(withBoxes(pdf, text))
}

const beyondAscii = /[^\x20-\x7e]/gu
const box = '□'

/**
 * Returns the text with a box for each character that the selected font lacks. PDFKit would print the sign of the font
 * for missing characters, but with a wrong width, so that text runs over what is beside it.
 */
function withBoxes({ document, signs }: Pdf, text: string): string {
  // The selected font, of fontkit; PDFKit has no method for it.
  const { font } = (document as unknown as { _font: { font: { hasGlyphForCodePoint(point: number): boolean } } })._font
  const has = (character: string) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
  return text.replace(beyondAscii, (character) => {
    const known = signs.get(font) ?? new Map<string, string>()
    signs.set(font, known)
    const sign = known.get(character) ?? (has(character) ? character : has(box) ? box : '?')
    known.set(character, sign)
    return sign
  })
}

/** Draws a horizontal line over the width of the content. */
export function drawRule(pdf: Pdf, y: number, { color = ink.line, width = 0.5, from = page.left } = {}): void {
  pdf.document.moveTo(from, y).lineTo(page.right, y).lineWidth(width).strokeColor(color).stroke()
}

/** Letters that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
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
