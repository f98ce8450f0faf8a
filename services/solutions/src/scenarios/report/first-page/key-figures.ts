import { contentWidth, ink, page } from '@wp/pdf'
import { freeTotalsOf } from '../../result/scenario-result.ts'
import { formatKept, formatMoney, formatShare } from '../../result/words.ts'
import { draw, type Flow, linesOf } from '../layout/flow.ts'
import { horizontalLine, type Shape, textLine } from '../layout/shapes.ts'
import type { ScenarioReport } from '../scenario-report.ts'

/** The widths of the key figures, and that of all together. */
const [figureWidths, allWidths] = [[1.45, 1, 1, 1], 4.45]
const valueSizes = [16, 14, 12, 10, 8.5, 7]

/** Prints the saving, the floors that can close, the people who move and the service level. */
export function printKeyFigures(flow: Flow, { asked, result }: ScenarioReport): void {
  const { saving, moved_people: moved, before, risk } = result
  const totals = freeTotalsOf(result)
  const figures = [
    {
      label: 'Saving a year',
      value: saving === null ? 'not stated' : formatMoney(saving.amount, saving.currency),
      caption:
        saving === null
          ? 'No floor closes, or costs are not stated or in several currencies'
          : saving.rent === 0
            ? 'Costs that end with closed days'
            : `Without ${formatMoney(saving.rent, saving.currency)} of rent, which ends only with the lease`,
    },
    {
      label: 'Floors that close all week',
      value: `${totals.floors_all_week} of ${totals.of_floors}`,
      caption: freeCaption(totals),
    },
    before === null
      ? { label: 'People who move', value: 'not known', caption: 'The floor of no team today is known' }
      : {
          label: 'People who move',
          value: String(moved),
          caption: 'sit on another floor than today, on the weekday on which most do',
        },
    {
      label: 'Service level',
      value: risk === null ? 'not known' : formatKept(1 - risk.overflow_days),
      caption: `of days everyone has a place; ${formatShare(asked.service_level)} was asked for`,
    },
  ]
  let [left, lines] = [page.left, 0]
  for (const [at, figure] of figures.entries()) {
    const own = ((figureWidths[at] ?? 1) / allWidths) * (contentWidth + figureGap)
    const caption = linesOf(flow, figure.caption, { size: 7 }, { width: own - figureGap, maxLines: 3 })
    draw(flow, ...figureShapes(flow, { ...figure, caption }, { x: left, width: own - figureGap }))
    left += own
    lines = Math.max(lines, caption.length)
  }
  flow.y += 62 + 9.5 * lines
}

/** The space between two key figures. */
const figureGap = 12

function figureShapes(
  { y, measure }: Flow,
  { label, value, caption }: { label: string; value: string; caption: readonly string[] },
  place: { x: number; width: number },
): Shape[] {
  const size = valueSizes.find((each) => measure(value, 'bold', each) <= place.width) ?? 7
  return [
    horizontalLine(place.x, y, place.width, { color: ink.accent, width: 1.6 }),
    textLine(label, { ...place, y: y + 7 }, { size: 7.5, color: ink.muted }),
    textLine(value, { ...place, y: y + 19 + (18 - size) / 2 }, { size, font: 'bold' }),
    ...caption.map((line, index) =>
      textLine(line, { ...place, y: y + 43 + index * 9.5 }, { size: 7, color: ink.muted }),
    ),
  ]
}

function freeCaption({
  floors_some_days: some,
  floors_all_week: all,
  ...days
}: ReturnType<typeof freeTotalsOf>): string {
  if (days.floor_days === 0) return 'All are needed'
  const partly = some === 0 ? '' : `${some} ${all > 0 ? 'more ' : ''}on some days; `
  return `${partly}${days.floor_days} of ${days.of_floor_days} floor days a week`
}
