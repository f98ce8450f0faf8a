import { ink } from '@wp/pdf'
import { type Frame, inset, rectangle, type Shape, type TextStyle, textLine } from '../layout/shapes.ts'

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
    const freeBar = { ...bar, x: left + (floors - count) * unit, width: count * unit }
    const afterBar = left + free.bar + 10
    const namesAt = { x: afterBar + free.count - 10, width: freeNamesWidth(width) }
    return [
      textLine(weekday, { x, y: top, width: free.label }, style),
      ...(count < floors ? [rectangle({ ...bar, x: left, width: (floors - count) * unit, fill: ink.accent })] : []),
      ...(count > 0 ? [rectangle({ ...inset(freeBar, 0.4), stroke: ink.accent, strokeWidth: 0.8 })] : []),
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
