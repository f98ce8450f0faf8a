import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'

/** A document and its fonts. */
export interface Pdf {
  document: InstanceType<typeof PDFDocument>
  /** Registered name of the font for the text of users. */
  nameFont: 'regular' | 'names'
  /** The sign that is printed for a character, by font: it is looked for in the file once. */
  signs: Map<object, Map<string, string>>
}

/** `names` and `boldNames` are for text with words of users: a font configured for it has letters that others lack. */
export type Font = 'regular' | 'bold' | 'names' | 'boldNames'

/** Points (1/72 inch) of an A4 page and its columns. */
export const page = { width: 595.28, height: 841.89, left: 56, right: 539, top: 56, bottom: 770, footer: 795 }
export const contentWidth = page.right - page.left

export const ink = { text: '#1a1d21', muted: '#6b7280', line: '#d5d9df', accent: '#1f4e79' }

const require = createRequire(import.meta.url)
const fontFile = (name: string) => require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

interface DocumentInfo {
  title: string
  author: string
  /** Fixed, so that the same content gives the same bytes. */
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
  if (nameFontFile === undefined) return { document, nameFont: 'regular', signs: new Map() }
  document.registerFont('names', nameFontFile)
  return { document, nameFont: 'names', signs: new Map() }
}
