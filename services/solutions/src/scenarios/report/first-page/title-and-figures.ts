import { contentWidth, ink, page, printableLine } from '@wp/pdf'
import { freeTotalsOf } from '../../result/scenario-result.ts'
import { formatKept, formatMoney, formatShare, noSaving } from '../../result/words.ts'
import { forecastBasis, formatTime, siteOf } from '../assumption-words.ts'
import { draw, type Flow, lineHeight, linesOf, paragraph } from '../layout/flow.ts'
import { horizontalLine, rectangle, type Shape, textLine } from '../layout/shapes.ts'
import type { ScenarioReport } from '../scenario-report.ts'

/** The widths of the key figures, and that of all together. */
const [figureWidths, allWidths] = [[1.45, 1, 1, 1], 4.45]
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
          ? (result.saving_missing ?? noSaving)
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
      caption: [`of days; ${formatShare(asked.service_level)} promised`, risk?.people ?? []].flat().join('. '),
    },
  ]
  let [left, lines] = [page.left, 0]
  for (const [at, figure] of figures.entries()) {
    const own = ((figureWidths[at] ?? 1) / allWidths) * (contentWidth + figureGap)
    const value = flow.written(figure.value)
    const caption = linesOf(flow, flow.written(figure.caption), { size: 7 }, { width: own - figureGap, maxLines: 3 })
    draw(flow, ...figureShapes(flow, { ...figure, value, caption }, { x: left, width: own - figureGap }))
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

/** Prints the name of the product, of the scenario and of its site, and what it is based on. */
export function printTitle(flow: Flow, report: ScenarioReport): void {
  const { asked, finishedAt, productName, timezone } = report
  draw(
    flow,
    textLine(
      printableLine(productName, 60),
      { x: page.left + 22, y: 43, width: 240 },
      { size: 9.5, font: 'boldNames' },
    ),
    textLine(
      `Scenario report  ·  ${flow.written(formatTime(finishedAt, timezone))}`,
      { x: page.left, y: 43.5, width: contentWidth },
      { size: 8.5, color: ink.muted, align: 'right' },
    ),
  )
  flow.y = 70
  fitParagraph(flow, asked.name, { sizes: [21, 17, 14], height: 56, font: 'boldNames', color: ink.accent, gap: 4 })
  const facts = `${siteOf(report)}  ·  ${flow.written(forecastBasis(report))}`
  paragraph(flow, facts, { size: 8.5, color: ink.muted }, { maxLines: 3, gap: 10 })
}

/** Prints the conclusion in a frame, as large as it fits. */
export function printConclusion(flow: Flow, text: string): void {
  const top = flow.y
  const inner = { x: page.left + 14, width: contentWidth - 26 }
  const at = flow.pages.at(-1)?.length ?? 0
  flow.y += 9
  fitParagraph(flow, text, { sizes: [15.5, 14, 12.5, 11, 9.5, 8.5], height: 92, font: 'names', gap: 9, ...inner })
  const height = flow.y - top
  // Under the text.
  flow.pages
    .at(-1)
    ?.splice(
      at,
      0,
      rectangle({ x: page.left, y: top, width: contentWidth, height, fill: '#eef2f7' }),
      rectangle({ x: page.left, y: top, width: 4, height, fill: ink.accent }),
    )
  flow.y += 14
}

/** Prints a text in the first of the sizes with which it is not higher than `height`; in the last, it is cut. */
function fitParagraph(
  flow: Flow,
  text: string,
  options: {
    sizes: readonly number[]
    height: number
    font: 'names' | 'boldNames'
    color?: string
    gap: number
    x?: number
    width?: number
  },
): void {
  const { sizes, height, font, color = ink.text, gap, x = page.left, width = contentWidth } = options
  const linesIn = (size: number) => Math.floor(height / lineHeight(size))
  const isFitting = (size: number) =>
    linesOf(flow, text, { size, font }, { width, maxLines: linesIn(size) + 1 }).length <= linesIn(size)
  const size = sizes.find(isFitting) ?? sizes.at(-1) ?? 9
  paragraph(flow, text, { size, font, color }, { maxLines: linesIn(size), gap, x, width })
}
