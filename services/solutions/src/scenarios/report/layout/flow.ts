import { contentWidth, ink, page, printableLine, wrapText } from '@wp/pdf'
import { type MeasureText, type Shape, type TextStyle, textLine } from './shapes.ts'

/** Pages that are being filled from top to bottom. */
export interface Flow {
  pages: Shape[][]
  /** The position under what is on the last page. */
  y: number
  readonly measure: MeasureText
  /** Writes figures and dates as the reader does. */
  readonly written: (text: string) => string
}

export const createFlow = (measure: MeasureText, written: Flow['written'] = (text) => text): Flow => ({
  pages: [[]],
  y: page.top,
  measure,
  written,
})

export function draw({ pages }: Flow, ...shapes: Shape[]): void {
  pages.at(-1)?.push(...shapes)
}

export function startPage(flow: Flow): void {
  flow.pages.push([])
  flow.y = page.top
}

/** Starts a page unless so much fits on this one. @returns true if it did */
export function reserve(flow: Flow, height: number): boolean {
  if (flow.y + height <= page.bottom) return false
  startPage(flow)
  return true
}

/** The distance of lines of a size. */
export const lineHeight = (size: number): number => Math.round(size * 1.32 * 10) / 10

/** More characters than any text of a report has lines for. */
const maxCharacters = 4000

/** An amount and a percentage stay in one line, and no line begins with the slash of a path. */
const unbroken = / (?=\/ )|(?<=\b[A-Z]{3}) (?=[\d-])|(?<=\d) (?=%)/g
const noBreakSpace = '\u00a0'

/** Returns the printable lines of a text. */
export function linesOf(
  { measure }: Pick<Flow, 'measure'>,
  text: string,
  { size, font = 'names' }: TextStyle,
  { width, maxLines }: { width: number; maxLines: number },
): string[] {
  const printable = printableLine(text, maxCharacters).replaceAll(unbroken, noBreakSpace)
  const lines = wrapText((line) => measure(line, font, size), printable, width, maxLines)
  return lines.map((line) => line.replaceAll(noBreakSpace, ' '))
}

/** Prints a text over the width of the page, and moves under it. */
export function paragraph(
  flow: Flow,
  text: string,
  style: TextStyle,
  { maxLines = 4, gap = 6, x = page.left, width = contentWidth } = {},
): void {
  const styled: TextStyle = { font: 'names', color: ink.text, direction: 'ltr', ...style }
  for (const line of linesOf(flow, text, styled, { width, maxLines })) {
    reserve(flow, lineHeight(style.size))
    draw(flow, textLine(line, { x, y: flow.y, width }, styled))
    flow.y += lineHeight(style.size)
  }
  flow.y += gap
}

/** Prints the heading of a section, on a new page if less than `height` is left under it. */
export function sectionHeading(flow: Flow, text: string, height = 60): void {
  if (flow.y > page.top) flow.y += 12
  reserve(flow, height)
  draw(
    flow,
    textLine(text, { x: page.left, y: flow.y, width: contentWidth }, { size: 12, font: 'bold', color: ink.accent }),
  )
  flow.y += 20
}
