import { ink } from '@wp/pdf'
import { formatShare } from '../result/words.ts'
import { horizontalLine, rectangle, type Shape, type TextStyle, textLine } from './layout/shapes.ts'

interface Frame {
  x: number
  y: number
  width: number
}

/** The shares of the places of a floor that are taken, by weekday; null where the floor is closed. */
export interface FloorUse {
  label: string
  today: readonly number[]
  planned: readonly (number | null)[]
}

const nameShare = 0.26
const headingHeight = 26

/** The height of the chart of utilization. */
export const utilizationHeight = (floors: number, rowHeight: number): number => headingHeight + floors * rowHeight

/**
 * Returns a table of floors by weekday, with a pair of cells for today and as planned. Each cell states its number and is
 * the darker the fuller the floor is, so that it reads the same in black and white.
 */
export function utilizationChart(
  weekdays: readonly string[],
  floors: readonly FloorUse[],
  { x, y, width }: Frame,
  rowHeight: number,
): Shape[] {
  const left = x + width * nameShare
  const dayWidth = (width * (1 - nameShare)) / weekdays.length
  const cell = { width: (dayWidth - 5) / 2, height: rowHeight - 2 }
  const size = cell.width < 28 ? 5.5 : 6.5
  const columnOf = (day: number, isPlanned: boolean) => left + day * dayWidth + 4 + (isPlanned ? cell.width + 1 : 0)
  const heading: TextStyle = { size: 7, color: ink.muted, align: 'center' }
  const headings = weekdays.flatMap((weekday, day) => [
    textLine(
      weekday,
      { x: columnOf(day, false), y, width: dayWidth - 4 },
      { ...heading, font: 'bold', color: ink.text },
    ),
    textLine('today', { x: columnOf(day, false), y: y + 11, width: cell.width }, { ...heading, size: 6 }),
    textLine('planned', { x: columnOf(day, true), y: y + 11, width: cell.width }, { ...heading, size: 6 }),
  ])
  const rows = floors.flatMap(({ label, today, planned }, at) => {
    const top = y + headingHeight - 4 + at * rowHeight
    const textTop = top + (cell.height - size * 1.16) / 2
    const name = textLine(
      label,
      { x, y: top + (cell.height - 7.5 * 1.16) / 2, width: width * nameShare - 4 },
      { size: 7.5, font: 'names' },
    )
    return [
      name,
      ...weekdays.flatMap((_, day) =>
        [today[day] ?? 0, planned[day] ?? null].flatMap((share, index) =>
          useShapes(share, { x: columnOf(day, index === 1), y: top, ...cell }, { textTop, size }),
        ),
      ),
    ]
  })
  return [...headings, ...rows]
}

/** Tells if there are more people than places, as far as the printed number tells. */
export const isOverfull = (share: number | null): boolean => Math.round((share ?? 0) * 1000) > 1000

function useShapes(
  share: number | null,
  cell: { x: number; y: number; width: number; height: number },
  { textTop, size }: { textTop: number; size: number },
): Shape[] {
  const place = { x: cell.x, y: textTop, width: cell.width }
  if (share === null)
    return [
      rectangle({ ...inset(cell, 0.35), stroke: ink.muted, strokeWidth: 0.7 }),
      textLine('closed', place, { size, align: 'center', color: ink.text }),
    ]
  const isOver = isOverfull(share)
  return [
    rectangle({ ...cell, fill: shade(share) }),
    ...(isOver ? [rectangle({ ...inset(cell, 0.6), stroke: ink.text, strokeWidth: 1.2 })] : []),
    textLine(formatShare(share), place, {
      ...{ size, align: 'center', font: isOver ? 'bold' : 'regular' },
      // Either has a contrast of at least 4.5 to the shade under it.
      color: share > 0.82 ? '#ffffff' : '#000000',
    }),
  ]
}

const inset = <Box extends { x: number; y: number; width: number; height: number }>(box: Box, by: number): Box => ({
  ...box,
  ...{ x: box.x + by, y: box.y + by, width: box.width - 2 * by, height: box.height - 2 * by },
})

/** Returns a blue that is the darker the larger the share, from nearly white at 0 to the accent at 1. */
function shade(share: number): string {
  const part = Math.min(1, Math.max(0, share)) ** 1.5
  const mix = (light: number, dark: number) =>
    Math.round(light + (dark - light) * part)
      .toString(16)
      .padStart(2, '0')
  return `#${mix(0xf2, 0x1f)}${mix(0xf5, 0x4e)}${mix(0xf9, 0x79)}`
}

/** The floors that are free on a weekday. */
export interface FreeDay {
  weekday: string
  count: number
  /** Their names, in lines of the width `freeNamesWidth`. */
  names: readonly string[]
}

const free = { label: 62, bar: 124, count: 84, lineHeight: 9.5, padding: 5 }

/** The width of the names in the chart of free floors of a width. */
export const freeNamesWidth = (width: number): number => width - free.label - free.bar - free.count

/** The height of the chart of free floors, with so many lines of names for each weekday. */
export const freeFloorsHeight = (weekdays: number, lines: number): number =>
  weekdays * (lines * free.lineHeight + free.padding)

/** Returns a bar for each weekday: filled for the floors that are open, outlined for those that are free. */
export function freeFloorsChart(
  days: readonly FreeDay[],
  floors: number,
  { x, y, width }: Frame,
  lines: number,
): Shape[] {
  const unit = free.bar / Math.max(1, floors)
  const style: TextStyle = { size: 7.5 }
  return days.flatMap(({ weekday, count, names }, at) => {
    const top = y + at * freeFloorsHeight(1, lines)
    const left = x + free.label
    const bar = { y: top, height: free.lineHeight }
    const isFree = { ...bar, x: left + (floors - count) * unit, width: count * unit }
    const afterBar = left + free.bar + 10
    const namesAt = { x: afterBar + free.count - 10, width: freeNamesWidth(width) }
    return [
      textLine(weekday, { x, y: top, width: free.label }, style),
      ...(count < floors ? [rectangle({ ...bar, x: left, width: (floors - count) * unit, fill: ink.accent })] : []),
      ...(count > 0 ? [rectangle({ ...inset(isFree, 0.4), stroke: ink.accent, strokeWidth: 0.8 })] : []),
      ...separators(floors, unit, { ...bar, x: left }),
      textLine(
        `${count} of ${floors} free`,
        { x: afterBar, y: top, width: free.count - 10 },
        { ...style, font: count > 0 ? 'bold' : 'regular' },
      ),
      ...names.map((line, index) =>
        textLine(line, { ...namesAt, y: top + index * free.lineHeight }, { ...style, font: 'names', direction: 'ltr' }),
      ),
    ]
  })
}

/** Lines between the floors of a bar, as long as each is wide enough to be seen. */
const separators = (
  floors: number,
  unit: number,
  { x, y, height }: { x: number; y: number; height: number },
): Shape[] =>
  unit < 5
    ? []
    : Array.from({ length: floors - 1 }, (_, at): Shape => {
        const left = x + (at + 1) * unit
        return { kind: 'line', from: { x: left, y }, to: { x: left, y: y + height }, color: '#9fb3c8', width: 0.6 }
      })

/** The space between two key figures. */
export const figureGap = 12

/** Returns the key figures side by side, with widths in proportion. */
export function keyFigures(
  figures: readonly { label: string; value: string; valueSize: number; caption: readonly string[] }[],
  { x, y, width }: Frame,
  widths: readonly number[],
): Shape[] {
  const sum = widths.reduce((all, one) => all + one, 0)
  let left = x
  return figures.flatMap(({ label, value, valueSize, caption }, at) => {
    const own = ((widths[at] ?? 1) / sum) * (width + figureGap)
    const place = { x: left, width: own - figureGap }
    left += own
    return [
      horizontalLine(place.x, y, place.width, { color: ink.accent, width: 1.6 }),
      textLine(label, { ...place, y: y + 7 }, { size: 7.5, color: ink.muted }),
      textLine(value, { ...place, y: y + 19 + (18 - valueSize) / 2 }, { size: valueSize, font: 'bold' }),
      ...caption.map((line, index) =>
        textLine(line, { ...place, y: y + 43 + index * 9.5 }, { size: 7, color: ink.muted }),
      ),
    ]
  })
}
