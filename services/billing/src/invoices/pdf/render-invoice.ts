import type { Invoice } from '@wp/contracts'
import {
  contentWidth,
  createDocument,
  drawRule,
  ink,
  type Pdf,
  page,
  printableLine,
  printableLines,
  printLine,
} from '@wp/pdf'
import { formatDay, formatRange, printLines, printTotals } from './lines-table.ts'

const maxNameLength = 120
const addressLines = 6
const halfWidth = contentWidth / 2 - 12
const rightColumn = page.right - halfWidth
const lineHeight = 14

/**
 * Renders an invoice as PDF, in A4. The same invoice gives the same bytes. Text of users is printed as given but
 * bounded: a long line is cut with an ellipsis, and characters that hide or reorder text are left out.
 *
 * @param options.nameFontFile TrueType or OpenType font for names and addresses; default DejaVu Sans
 */
export function renderInvoice(
  invoice: Invoice,
  { nameFontFile }: { nameFontFile?: string | undefined } = {},
): AsyncIterable<Uint8Array> {
  const author = printableLine(invoice.seller.name, maxNameLength)
  const pdf = createDocument({
    title: invoice.number === null ? 'Draft invoice' : `Invoice ${invoice.number}`,
    author,
    date: new Date(invoice.issued_at ?? invoice.period_start),
    nameFontFile,
  })
  printHeading(pdf, invoice)
  const top = Math.max(printCustomer(pdf, invoice, 190), printFacts(pdf, invoice, 190)) + 28
  printNote(pdf, invoice, printTotals(pdf, invoice, printLines(pdf, invoice, top)))
  printFooters(pdf, invoice)
  pdf.document.end()
  return pdf.document
}

const titles = { draft: 'Draft invoice', open: 'Invoice', paid: 'Invoice', void: 'Void invoice' } as const

function printHeading(pdf: Pdf, { status, number, seller }: Invoice): void {
  printLine(pdf, titles[status], page.left, page.top, { font: 'bold', size: 22, color: ink.accent, width: halfWidth })
  if (number !== null) printLine(pdf, number, page.left, page.top + 32, { size: 11, color: ink.muted })
  const right = { width: halfWidth, align: 'right' } as const
  printLine(pdf, printableLine(seller.name, maxNameLength), rightColumn, page.top + 4, {
    ...right,
    font: 'boldNames',
    size: 11,
  })
  const details = [
    ...printableLines(seller.address ?? '', addressLines - 1, maxNameLength),
    ...(seller.tax_id === null ? [] : [`Tax ID ${printableLine(seller.tax_id, maxNameLength)}`]),
  ]
  details.forEach((line, index) => {
    printLine(pdf, line, rightColumn, page.top + 22 + index * 13, { ...right, font: 'names', color: ink.muted })
  })
}

/** Prints whom the invoice is addressed to. @returns the position under it */
function printCustomer(pdf: Pdf, { customer }: Invoice, top: number): number {
  printLine(pdf, 'Billed to', page.left, top, { font: 'bold', size: 8, color: ink.muted })
  const name = customer.company_name ?? `Workspace ${customer.workspace_id}`
  const lines = [
    printableLine(name, maxNameLength),
    ...printableLines(customer.address ?? '', addressLines, maxNameLength),
    ...(customer.vat_id === null ? [] : [`VAT ID ${printableLine(customer.vat_id, maxNameLength)}`]),
    ...(customer.email === null ? [] : [printableLine(customer.email, maxNameLength)]),
  ]
  lines.forEach((line, index) => {
    const style = { font: 'names', width: halfWidth, size: index === 0 ? 10.5 : 9 } as const
    printLine(pdf, line, page.left, top + 16 + index * lineHeight, style)
  })
  return top + 16 + lines.length * lineHeight
}

/** Prints number and dates. @returns the position under them */
function printFacts(pdf: Pdf, invoice: Invoice, top: number): number {
  const facts: [string, string | null][] = [
    ['Invoice number', invoice.number],
    ['Date of issue', invoice.issued_at && formatDay(invoice.issued_at)],
    ['Period', formatRange(invoice.period_start, invoice.period_end)],
    ['Due', invoice.status === 'open' && invoice.due_at !== null ? formatDay(invoice.due_at) : null],
    ['Paid', invoice.paid_at && formatDay(invoice.paid_at)],
    ['Voided', invoice.voided_at && formatDay(invoice.voided_at)],
  ]
  const shown = facts.filter((fact): fact is [string, string] => fact[1] !== null)
  shown.forEach(([label, value], index) => {
    const y = top + index * 17
    printLine(pdf, label, rightColumn, y, { color: ink.muted, width: 100 })
    printLine(pdf, value, rightColumn + 100, y, { width: halfWidth - 100, align: 'right' })
  })
  return top + shown.length * 17
}

function printNote(pdf: Pdf, { status, due_at, number }: Invoice, y: number): void {
  const notes = {
    draft: 'This is a draft. It changes until the invoice is issued, and is not a request for payment.',
    open: due_at === null ? '' : `Please pay by ${formatDay(due_at)} and name ${number} with your payment.`,
    paid: 'Paid. Thank you.',
    void: 'This invoice is void and must not be paid.',
  }
  if (y + 12 <= page.bottom) printLine(pdf, notes[status], page.left, y, { color: ink.muted })
}

/** Prints the footer of each page, once their number is known. */
function printFooters(pdf: Pdf, { seller, number, customer }: Invoice): void {
  const { start, count } = pdf.document.bufferedPageRange()
  for (let index = 0; index < count; index += 1) {
    pdf.document.switchToPage(start + index)
    drawRule(pdf, page.footer - 8)
    const style = { size: 7.5, color: ink.muted } as const
    const name = printableLine(seller.name, maxNameLength)
    const about = `${name}  ·  ${number ?? 'Draft'}  ·  ${customer.workspace_id}`
    printLine(pdf, about, page.left, page.footer, { ...style, font: 'names', width: contentWidth - 90 })
    const position = `Page ${index + 1} of ${count}`
    printLine(pdf, position, page.right - 80, page.footer, { ...style, width: 80, align: 'right' })
  }
}
