import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { checkFont } from '../src/check-font.ts'
import { createDocument } from '../src/document.ts'
import { measureWith, printLine } from '../src/print-line.ts'

const serif = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSerif.ttf'))

describe('a document', () => {
  const render = async (text: string, options: { nameFontFile?: string } = {}) => {
    const pdf = createDocument({ title: 'Title', author: 'Author', date: new Date(0), ...options })
    printLine(pdf, text, 50, 50, { font: 'boldNames' })
    pdf.document.end()
    const chunks: Uint8Array[] = []
    for await (const chunk of pdf.document) chunks.push(chunk as Uint8Array) // a stream of bytes
    return Buffer.concat(chunks)
  }

  it('has the same bytes for the same text, and others for another', async () => {
    const first = await render('One')
    expect((await render('One')).equals(first)).toBe(true)
    expect((await render('Two')).equals(first)).toBe(false)
  })

  it('prints names in the configured font', async () => {
    expect((await render('Ж')).toString('latin1')).toContain('+DejaVuSans-Bold')
    expect((await render('Ж', { nameFontFile: serif })).toString('latin1')).toContain('+DejaVuSerif')
  })

  it('has a box for each character that the font lacks', async () => {
    const boxes = await render('A□□□ □')
    expect((await render('A会議室 👩')).equals(boxes)).toBe(true)
    expect((await render('A□□ □')).equals(boxes)).toBe(false)
    const pdf = createDocument({ title: '', author: '', date: new Date(0) })
    const measure = measureWith(pdf, 'regular', 10)
    expect(measure('会')).toBe(measure('□'))
    pdf.document.end()
  })
})

it('the font for names is checked when the service starts', () => {
  checkFont('FONT_FILE', undefined)
  checkFont('FONT_FILE', serif)
  for (const file of ['/nowhere/font.ttf', import.meta.filename])
    expect(() => checkFont('FONT_FILE', file)).toThrow(`FONT_FILE is not valid: ${file}`)
})
