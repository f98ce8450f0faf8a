import { contentWidth, ink, page } from '@wp/pdf'
import { freeTotalsOf } from '../../result/scenario-result.ts'
import { formatKept, formatMoney, formatShare } from '../../result/words.ts'
import { draw, type Flow, linesOf } from '../layout/flow.ts'
import { horizontalLine, type Shape, textLine } from '../layout/shapes.ts'
import type { ScenarioReport } from '../scenario-report.ts'

const figureWidths = [1.45, 1, 1, 1]
const valueSizes = [16, 14, 12, 10, 8.5, 7]

/** Prints the saving, the floors that can close, the people who move and the days on which everyone has a place. */
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
      label: 'Everyone has a place',
      value: risk === null ? 'not known' : formatKept(1 - risk.overflow_days),
      caption: `of days; ${formatShare(asked.service_level)} promised`,
    },
  ]
  const sum = figureWidths.reduce((all, one) => all + one, 0)
  const fitted = figures.map((figure, at) => {
    const width = ((figureWidths[at] ?? 1) / sum) * (contentWidth + figureGap) - figureGap
    const valueSize = valueSizes.find((size) => flow.measure(figure.value, 'bold', size) <= width) ?? 7
    return { ...figure, valueSize, caption: linesOf(flow, figure.caption, { size: 7 }, { width, maxLines: 3 }) }
  })
  draw(flow, ...figureShapes(fitted, { x: page.left, y: flow.y, width: contentWidth }, figureWidths))
  flow.y += 62 + 9.5 * Math.max(...fitted.map(({ caption }) => caption.length))
}

/** The space between two key figures. */
const figureGap = 12

function figureShapes(
  figures: readonly { label: string; value: string; valueSize: number; caption: readonly string[] }[],
  { x, y, width }: { x: number; y: number; width: number },
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

function freeCaption({
  floors_some_days: some,
  floors_all_week: all,
  ...days
}: ReturnType<typeof freeTotalsOf>): string {
  if (days.floor_days === 0) return 'All are needed'
  const partly = some === 0 ? '' : `${some} ${all > 0 ? 'more ' : ''}on some days; `
  return `${partly}${days.floor_days} of ${days.of_floor_days} floor days a week`
}
