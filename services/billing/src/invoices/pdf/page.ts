import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import { rightToLeft } from './printable-text.ts'

/** A document and its fonts. */
export interface Pdf {
  document: InstanceType<typeof PDFDocument>
  /** Registered name of the font for the text of users. */
  nameFont: 'regular' | 'names'
}

/** Points (1/72 inch) of an A4 page and its columns. */
export const page = { width: 595.28, height: 841.89, left: 56, right: 539, top: 56, bottom: 770, footer: 795 }
export const contentWidth = page.right - page.left

export const ink = { text: '#1a1d21', muted: '#6b7280', line: '#d5d9df', accent: '#1f4e79' }

const require = createRequire(import.meta.url)
const fontFile = (name: string) => require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

interface DocumentInfo {
  title: string
  author: string
  /** Fixed, so that the same invoice gives the same bytes. */
  date: Date
  /** Font for the text of users; default DejaVu Sans. */
  nameFontFile?: string | undefined
}

/** Creates an empty document. Its pages are kept until the end, because every footer names their number. */
export function createDocument({ title, author, date, nameFontFile }: DocumentInfo): Pdf {
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Author: author, Creator: author, Producer: 'PDFKit', CreationDate: date, ModDate: date },
  })
  document.registerFont('regular', fontFile('DejaVuSans'))
  document.registerFont('bold', fontFile('DejaVuSans-Bold'))
  // The same file under a second name would be read again for every text: PDFKit does not cache such a font.
  if (nameFontFile === undefined) return { document, nameFont: 'regular' }
  document.registerFont('names', nameFontFile)
  return { document, nameFont: 'names' }
}

interface TextStyle {
  font?: 'regular' | 'bold' | 'names'
  size?: number
  color?: string
  width?: number
  align?: 'left' | 'right'
}

/** Prints one line of text, cut with an ellipsis if it is wider than `width`. */
export function printLine(pdf: Pdf, text: string, x: number, y: number, style: TextStyle = {}): void {
  const { font = 'regular', size = 9, color = ink.text, width = contentWidth, align = 'left' } = style
  const { document, nameFont } = pdf
  document
    .font(font === 'names' ? nameFont : font)
    .fontSize(size)
    .fillColor(color)
  const fitted = fitLine(document, text, width)
  const offset = align === 'right' ? width - document.widthOfString(fitted) : 0
  // In a text of several words PDFKit puts the space of a word from right to left on its wrong side.
  const words = rightToLeft.test(fitted) ? fitted.split(' ') : [fitted]
  const spaceWidth = document.widthOfString(' ')
  let left = x + offset
  for (const word of words) {
    document.text(word, left, y, { lineBreak: false })
    left += document.widthOfString(word) + spaceWidth
  }
}

function fitLine(pdf: Pdf['document'], text: string, width: number): string {
  if (pdf.widthOfString(text) <= width) return text
  const characters = [...text]
  // The longest beginning that fits, by bisection: measuring is the expensive part.
  let fits = 0
  let tooLong = characters.length
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (pdf.widthOfString(`${characters.slice(0, middle).join('')}…`) <= width) fits = middle
    else tooLong = middle
  }
  return `${characters.slice(0, fits).join('').trimEnd()}…`
}

/** Draws a horizontal line over the width of the content. */
export function drawRule(pdf: Pdf, y: number, { color = ink.line, width = 0.5, from = page.left } = {}): void {
  pdf.document.moveTo(from, y).lineTo(page.right, y).lineWidth(width).strokeColor(color).stroke()
}
