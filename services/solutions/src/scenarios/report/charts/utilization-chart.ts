import { ink } from '@wp/pdf'
import { formatUse } from '../../result/words.ts'
import { type Frame, inset, rectangle, type Shape, type TextStyle, textLine } from '../layout/shapes.ts'

/**
 * The shares of the places of a floor that are taken, by weekday; null where the floor is closed, and undefined where
 * it is not known who sits there today.
 */
export interface FloorUse {
  label: string
  today: readonly (number | undefined)[]
  planned: readonly (number | null)[]
}

const nameShare = 0.26
const headingHeight = 26

/** The height of the chart of utilization. */
export const utilizationHeight = (floors: number, rowHeight: number): number => headingHeight + floors * rowHeight

/**
 * Returns a table of floors by weekday, with a pair of cells for today and as planned. Each cell states its number and
 * is the darker the fuller the floor is, so that it reads the same in black and white.
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
    textLine('today', { x: columnOf(day, false), y: y + 11, width: cell.width }, { ...heading, size: size - 0.5 }),
    textLine('planned', { x: columnOf(day, true), y: y + 11, width: cell.width }, { ...heading, size: size - 0.5 }),
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
        [today[day], planned[day] ?? null].flatMap((share, index) =>
          useShapes(share, { x: columnOf(day, index === 1), y: top, ...cell }, { textTop, size }),
        ),
      ),
    ]
  })
  return [...headings, ...rows]
}

/** Tells if there are more people than places, as far as the printed number tells. */
export const isOverfull = (share: number | null | undefined): boolean => Math.round((share ?? 0) * 100) > 100

function useShapes(
  share: number | null | undefined,
  cell: { x: number; y: number; width: number; height: number },
  { textTop, size }: { textTop: number; size: number },
): Shape[] {
  const place = { x: cell.x, y: textTop, width: cell.width }
  if (share === undefined) return [textLine('–', place, { size, align: 'center', color: ink.text })]
  if (share === null)
    return [
      rectangle({ ...inset(cell, 0.35), stroke: ink.muted, strokeWidth: 0.7 }),
      textLine('closed', place, { size, align: 'center', color: ink.text }),
    ]
  const isOver = isOverfull(share)
  return [
    rectangle({ ...cell, fill: shade(share) }),
    ...(isOver ? [rectangle({ ...inset(cell, 0.6), stroke: ink.text, strokeWidth: 1.2 })] : []),
    textLine(formatUse(share), place, {
      size,
      align: 'center',
      font: isOver ? 'bold' : 'regular',
      // Either has a contrast of at least 4.5 to the shade under it.
      color: share > 0.82 ? '#ffffff' : '#000000',
    }),
  ]
}

/** Returns a blue that is the darker the larger the share, from nearly white at 0 to the accent at 1. */
function shade(share: number): string {
  const part = Math.min(1, Math.max(0, share)) ** 1.5
  const mix = (light: number, dark: number) =>
    Math.round(light + (dark - light) * part)
      .toString(16)
      .padStart(2, '0')
  return `#${mix(0xf2, 0x1f)}${mix(0xf5, 0x4e)}${mix(0xf9, 0x79)}`
}
