import { contentWidth, ink, page, printableLine } from '@wp/pdf'
import { forecastBasis, formatTime, siteOf } from '../assumption-words.ts'
import { draw, type Flow, lineHeight, linesOf, paragraph } from '../layout/flow.ts'
import { rectangle, textLine } from '../layout/shapes.ts'
import type { ScenarioReport } from '../scenario-report.ts'

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
      `Scenario report  ·  ${formatTime(finishedAt, timezone)}`,
      { x: page.left, y: 43.5, width: contentWidth },
      { size: 8.5, color: ink.muted, align: 'right' },
    ),
  )
  flow.y = 70
  fitParagraph(flow, asked.name, { sizes: [21, 17, 14], height: 56, font: 'boldNames', color: ink.accent, gap: 4 })
  const facts = `${siteOf(report)}  ·  ${forecastBasis(report)}`
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
