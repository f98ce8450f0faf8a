import { contentWidth, ink, page } from '@wp/pdf'
import { draw, type Flow, lineHeight, linesOf, reserve } from './flow.ts'
import { horizontalLine, type Shape, type TextStyle, textLine } from './shapes.ts'

export interface Column {
  heading: string
  width: number
  align?: 'left' | 'right' | 'center'
  /** Lines of a cell; default 2. */
  maxLines?: number
}

/** A text, which is wrapped, or texts of one line each. */
export type Cell = string | readonly string[]

const padding = 6

/**
 * Prints a table over as many pages as it needs, with its headings on each. Rows are not divided.
 * @param bold prints the last row, a total, in bold
 */
export function table(
  flow: Flow,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { size = 7.5, bold = false } = {},
): void {
  const space = lineHeight(size)
  const columnLines = (text: Cell, { width, maxLines = 2 }: Column, style: TextStyle): string[] =>
    (typeof text === 'string' ? [text] : text.slice(0, maxLines)).flatMap((line) =>
      linesOf(flow, line, style, { width: width - padding, maxLines: typeof text === 'string' ? maxLines : 1 }),
    )
  const heading: TextStyle = { size, font: 'bold', color: ink.muted }
  const headings = columns.map((column) => columnLines(column.heading, column, heading))
  const headingHeight = Math.max(...headings.map(({ length }) => length)) * space + 5
  const printHeadings = () => {
    draw(flow, ...cellShapes(columns, headings, flow.y, heading))
    flow.y += headingHeight
    draw(flow, horizontalLine(page.left, flow.y - 2, contentWidth, { color: ink.text, width: 0.8 }))
    flow.y += 2
  }
  reserve(flow, headingHeight + 3 * space)
  printHeadings()
  for (const [at, row] of rows.entries()) {
    const style: TextStyle = { size, font: bold && at === rows.length - 1 ? 'boldNames' : 'names', direction: 'ltr' }
    const lines = columns.map((column, index) => columnLines(row[index] ?? '', column, style))
    const height = Math.max(1, ...lines.map(({ length }) => length)) * space + 4
    if (reserve(flow, height)) printHeadings()
    draw(flow, ...cellShapes(columns, lines, flow.y, style))
    flow.y += height
    draw(flow, horizontalLine(page.left, flow.y - 2.5, contentWidth))
  }
  flow.y += 6
}

function cellShapes(
  columns: readonly Column[],
  cells: readonly (readonly string[])[],
  y: number,
  style: TextStyle,
): Shape[] {
  let x = page.left
  return columns.flatMap(({ width, align = 'left' }, index) => {
    const left = x
    x += width
    return (cells[index] ?? []).map((text, line) =>
      textLine(
        text,
        { x: left + (align === 'right' ? padding : 0), y: y + line * lineHeight(style.size), width: width - padding },
        { ...style, align },
      ),
    )
  })
}
