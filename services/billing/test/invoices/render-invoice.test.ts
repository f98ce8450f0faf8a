import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import type { Invoice } from '@wp/contracts'
import { formatCount, formatMinor } from '../../src/invoices/money.ts'
import { renderInvoice } from '../../src/invoices/pdf/render-invoice.ts'
import { exampleInvoice, exampleLine } from './example-invoice.ts'

async function render(invoice: Invoice, options: Parameters<typeof renderInvoice>[1] = {}): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of renderInvoice(invoice, options)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0

describe('the PDF of an invoice', () => {
  it('is one page for a few lines, with the number of the invoice as title', async () => {
    const pdf = await render(exampleInvoice())
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    expect(pdf.subarray(-6).toString()).toContain('%%EOF')
    expect(pagesOf(pdf)).toBe(1)
    expect(pdf.toString('latin1')).toContain('Invoice INV-2026-000042')
  })

  it('has the same bytes for the same invoice, and others for another', async () => {
    const pdf = await render(exampleInvoice())
    expect((await render(exampleInvoice())).equals(pdf)).toBe(true)
    expect((await render(exampleInvoice({ total_minor: 5832 }))).equals(pdf)).toBe(false)
  })

  it('continues the table on further pages', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => exampleLine(index + 1))
    expect(pagesOf(await render(exampleInvoice({ lines })))).toBe(24)
  })

  it('moves the totals to a page of their own when they do not fit under the table', async () => {
    const pages = async (count: number) =>
      pagesOf(await render(exampleInvoice({ lines: Array.from({ length: count }, () => exampleLine(1)) })))
    const counts = await Promise.all(Array.from({ length: 8 }, (_, index) => pages(index + 9)))
    expect(counts[0]).toBe(1)
    expect(counts.at(-1)).toBe(2)
    expect(counts.toSorted()).toEqual(counts)
  })

  it('stays one page and small when the text of the customer is hostile', async () => {
    const { customer } = exampleInvoice()
    const hostile = ['\n'.repeat(10_000), 'x'.repeat(10_000), '\u202e\u0300'.repeat(5_000), 'שלום '.repeat(2_000)]
    for (const text of hostile) {
      const pdf = await render(exampleInvoice({ customer: { ...customer, company_name: text, address: text } }))
      expect(pagesOf(pdf)).toBe(1)
      expect(pdf.length).toBeLessThan(100_000)
    }
  })
})

/** Returns the characters that a PDF prints in a font, of the map to Unicode that belongs to it. */
function charactersOf(pdf: Buffer, font: string): string[] {
  const text = pdf.toString('latin1')
  const [, reference] = new RegExp(`/BaseFont /\\w{6}\\+${font}\\n[^>]*/ToUnicode (\\d+) 0 R`).exec(text) ?? []
  const start = text.indexOf('stream\n', text.indexOf(`\n${reference} 0 obj`)) + 'stream\n'.length
  const map = inflateSync(pdf.subarray(start)).toString()
  return [...map.matchAll(/<([0-9a-f]{4})>/g)].map(([, code = '']) => String.fromCharCode(Number.parseInt(code, 16)))
}

describe('the font for names', () => {
  const fontFile = (name: string) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))
  const fontsOf = (pdf: Buffer) =>
    new Set([...pdf.toString('latin1').matchAll(/\/BaseFont \/[A-Z]{6}\+(\S+)/g)].map(([, name]) => name))

  it('is the configured one, beside that of the other text', async () => {
    expect(fontsOf(await render(exampleInvoice()))).toEqual(new Set(['DejaVuSans', 'DejaVuSans-Bold']))
    const pdf = await render(exampleInvoice(), { nameFontFile: fontFile('DejaVuSerif') })
    expect(fontsOf(pdf)).toEqual(new Set(['DejaVuSans', 'DejaVuSans-Bold', 'DejaVuSerif']))
    expect(pagesOf(pdf)).toBe(1)
  })

  it('prints the names of customer and seller', async () => {
    const { customer, seller } = exampleInvoice()
    const invoice = exampleInvoice({ customer: { ...customer, company_name: 'Ж' }, seller: { ...seller, name: 'Ω' } })
    const pdf = await render(invoice, { nameFontFile: fontFile('DejaVuSerif') })
    expect(charactersOf(pdf, 'DejaVuSerif')).toEqual(expect.arrayContaining(['Ж', 'Ω']))
    const others = ['DejaVuSans', 'DejaVuSans-Bold'].flatMap((font) => charactersOf(pdf, font))
    expect(others.filter((character) => 'ЖΩ'.includes(character))).toEqual([])
    expect(others).toContain('I')
  })
})

it.each([
  [0, '0.00'],
  [5, '0.05'],
  [123_456_789, '1,234,567.89'],
  [-1_250, '-12.50'],
])('formats %d minor units as %s', (amount, text) => {
  expect(formatMinor(amount)).toBe(text)
  expect(formatCount(1_000_000)).toBe('1,000,000')
})
