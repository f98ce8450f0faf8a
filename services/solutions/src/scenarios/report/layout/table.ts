import { contentWidth, ink, page } from '@wp/pdf'
import { draw, type Flow, lineHeight, linesOf, reserve } from './flow.ts'
import { horizontalLine, type Shape, type TextStyle, textLine } from './shapes.ts'

export interface Column {
  heading: string
  width: number
  align?: 'left' | 'right'
  /** Lines of a cell; default 2. */
  maxLines?: number
}

/** A text, which is wrapped, or lines with a figure at the right of each, which is never cut. */
export type Cell = string | readonly CellLine[]

export interface CellLine {
  text: string
  figure: string
}

interface TableStyle {
  size?: number
  /** Prints the last row, a total, in bold. */
  hasTotal?: boolean
}

const gap = 8
const headingLines = 3

/** Prints a table over as many pages as it needs, with its headings on each. Rows are not divided. */
export function table(
  flow: Flow,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { size = 7.5, hasTotal = false }: TableStyle = {},
): void {
  const heading: TextStyle = { size, font: 'bold', color: ink.muted }
  const headings = columns.map((column) =>
    cellLines(flow, column.heading, { ...column, maxLines: headingLines }, heading),
  )
  const headingHeight = Math.max(...headings.map(({ length }) => length)) * lineHeight(size) + 3
  const printHeadings = () => {
    draw(flow, ...rowShapes(flow, columns, headings, heading))
    flow.y += headingHeight + 2
    draw(flow, horizontalLine(page.left, flow.y - 2.5, contentWidth, { color: ink.text, width: 0.8 }))
  }
  reserve(flow, headingHeight + 3 * lineHeight(size))
  printHeadings()
  for (const [at, row] of rows.entries()) {
    const isTotal = hasTotal && at === rows.length - 1
    const style: TextStyle = { size, font: isTotal ? 'boldNames' : 'names', direction: 'ltr' }
    const cells = columns.map((column, index) => cellLines(flow, row[index] ?? '', column, style))
    const height = Math.max(1, ...cells.map(({ length }) => length)) * lineHeight(size) + 3
    if (reserve(flow, height)) printHeadings()
    draw(flow, ...rowShapes(flow, columns, cells, style))
    flow.y += height
    draw(flow, horizontalLine(page.left, flow.y - 2.5, contentWidth))
  }
  flow.y += 6
}

/** Returns the width of a text beside a figure in a column. */
export const figuredWidth = (column: number, figure: number): number => column - gap - figure - 3

function cellLines(flow: Flow, cell: Cell, { width, maxLines = 2 }: Column, style: TextStyle): CellLine[] {
  const space = width - gap
  if (typeof cell === 'string')
    return linesOf(flow, cell, style, { width: space, maxLines }).map((text) => ({ text, figure: '' }))
  return cell.map(({ text, figure }) => {
    const left = figuredWidth(width, flow.measure(figure, style.font ?? 'names', style.size))
    return { text: linesOf(flow, text, style, { width: left, maxLines: 1 })[0] ?? '', figure }
  })
}

function rowShapes(
  { y }: Flow,
  columns: readonly Column[],
  cells: readonly (readonly CellLine[])[],
  style: TextStyle,
): Shape[] {
  let right = page.left
  return columns.flatMap(({ width, align = 'left' }, index) => {
    right += width
    // The text of the last column ends with the line under it.
    const isLast = index === columns.length - 1 && align === 'right'
    const place = { x: right - width + (isLast ? gap : 0), width: width - gap }
    return (cells[index] ?? []).flatMap(({ text, figure }, line) => {
      const top = { ...place, y: y + line * lineHeight(style.size) }
      return [
        textLine(text, top, { ...style, align }),
        ...(figure === '' ? [] : [textLine(figure, top, { ...style, align: 'right' })]),
      ]
    })
  })
}
