import type { Invoice, InvoiceLine } from '@wp/contracts'
import { contentWidth, drawRule, ink, type Pdf, page, printLine } from '@wp/pdf'
import { formatCount, formatMinor } from '../money.ts'

const rowHeight = 31
const numberWidth = 68
const columns = {
  quantity: page.right - 3 * numberWidth,
  unitPrice: page.right - 2 * numberWidth,
  amount: page.right - numberWidth,
}
const descriptionWidth = contentWidth - 3 * numberWidth - 8

/** Prints the lines as a table over as many pages as it needs. @returns the position under it */
export function printLines(pdf: Pdf, { lines, currency }: Invoice, top: number): number {
  let y = printHeader(pdf, currency, top)
  for (const line of lines) {
    if (y + rowHeight > page.bottom) {
      pdf.document.addPage()
      y = printHeader(pdf, currency, page.top)
    }
    printRow(pdf, line, y)
    y += rowHeight
    drawRule(pdf, y - 6)
  }
  return y
}

function printHeader(pdf: Pdf, currency: string, y: number): number {
  const style = { font: 'bold', size: 8, color: ink.muted } as const
  const right = { ...style, width: numberWidth, align: 'right' } as const
  printLine(pdf, 'Description', page.left, y, style)
  printLine(pdf, 'Quantity', columns.quantity, y, right)
  printLine(pdf, 'Unit price', columns.unitPrice, y, right)
  printLine(pdf, `Amount (${currency})`, columns.amount, y, right)
  drawRule(pdf, y + 15, { color: ink.text, width: 0.8 })
  return y + 23
}

function printRow(pdf: Pdf, line: InvoiceLine, y: number): void {
  const right = { width: numberWidth, align: 'right' } as const
  printLine(pdf, line.description, page.left, y, { width: descriptionWidth })
  printLine(pdf, formatRange(line.period_start, line.period_end), page.left, y + 12, {
    size: 7.5,
    color: ink.muted,
    width: descriptionWidth,
  })
  printLine(pdf, formatCount(line.quantity), columns.quantity, y, right)
  printLine(pdf, formatMinor(line.unit_price_minor), columns.unitPrice, y, right)
  printLine(pdf, formatMinor(line.amount_minor), columns.amount, y, right)
}

/** Prints subtotal, tax and total, on a new page if they do not fit under the table. */
export function printTotals(pdf: Pdf, invoice: Invoice, top: number): number {
  const rows: [string, number][] = [
    ['Subtotal', invoice.subtotal_minor],
    [`Tax (${invoice.tax_rate} %)`, invoice.tax_minor],
  ]
  const height = rows.length * 18 + 40
  if (top + height > page.bottom) pdf.document.addPage()
  let y = top + height > page.bottom ? page.top : top + 8
  const label = columns.quantity
  for (const [name, amount] of rows) {
    printLine(pdf, name, label, y, { color: ink.muted, width: 2 * numberWidth })
    printLine(pdf, formatMinor(amount), columns.amount, y, { width: numberWidth, align: 'right' })
    y += 18
  }
  drawRule(pdf, y - 2, { from: label, color: ink.text, width: 0.8 })
  printLine(pdf, invoice.status === 'paid' ? 'Total, paid' : 'Total', label, y + 6, { font: 'bold', size: 11 })
  const total = `${invoice.currency} ${formatMinor(invoice.total_minor)}`
  const width = 2 * numberWidth
  printLine(pdf, total, page.right - width, y + 6, { font: 'bold', size: 11, width, align: 'right' })
  return y + 40
}

/** Formats a day for people: `31 Jan 2026`. Times are UTC. */
export function formatDay(time: string): string {
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
  const date = new Date(time)
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

export const formatRange = (start: string, end: string): string => `${formatDay(start)} – ${formatDay(end)}`
