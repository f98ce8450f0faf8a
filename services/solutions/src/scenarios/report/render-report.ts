import { setImmediate } from 'node:timers/promises'
import { createDocument, ink, measureWith, type Pdf, page, printableLine, printLine } from '@wp/pdf'
import { initialOf } from '@wp/service'
import type { Shape } from './layout/shapes.ts'
import { layOutReport } from './layout-report.ts'
import type { ScenarioReport } from './scenario-report.ts'

/**
 * Renders the report of a scenario as PDF, in A4. The same report gives the same bytes.
 *
 * @param options.nameFontFile TrueType or OpenType font for text with names; default DejaVu Sans
 */
export async function* renderReport(
  report: ScenarioReport,
  { nameFontFile }: { nameFontFile?: string | undefined } = {},
): AsyncGenerator<Uint8Array> {
  const title = printableLine(report.asked.name, 200)
  const pdf = createDocument({ title, author: report.productName, date: report.finishedAt, nameFontFile })
  const pages = layOutReport(report, (text, font, size) => measureWith(pdf, font, size)(text))
  for (const [at, shapes] of pages.entries()) {
    if (at > 0) pdf.document.addPage()
    else drawMark(pdf, report.productName)
    for (const shape of shapes) drawShape(pdf, shape)
    // A page takes up to 100 ms: other requests have their turn in between.
    await setImmediate()
  }
  pdf.document.end()
  yield* pdf.document
}

function drawShape(pdf: Pdf, shape: Shape): void {
  const { document } = pdf
  if (shape.kind === 'text') printLine(pdf, shape.text, shape.x, shape.y, shape)
  else if (shape.kind === 'line') {
    document.moveTo(shape.from.x, shape.from.y).lineTo(shape.to.x, shape.to.y)
    document.lineWidth(shape.width).strokeColor(shape.color).stroke()
  } else {
    const { x, y, width, height, fill, stroke, strokeWidth = 0.5 } = shape
    if (fill !== undefined) document.rect(x, y, width, height).fill(fill)
    if (stroke !== undefined) document.rect(x, y, width, height).lineWidth(strokeWidth).stroke(stroke)
  }
}

/** Draws the mark of the product, as the console has it, 16 points wide. */
function drawMark(pdf: Pdf, productName: string): void {
  pdf.document.roundedRect(page.left, 40, 16, 16, 4).fill(ink.accent)
  const style = { font: 'boldNames', size: 9, color: '#ffffff', width: 16, align: 'center' } as const
  printLine(pdf, printableLine(initialOf(productName), 4), page.left, 43, style)
}
