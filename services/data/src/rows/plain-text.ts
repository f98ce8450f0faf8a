import { type DocumentRow, rowOfDocument } from './document.ts'
import { maxRowBytes, type RowReader, tooLong } from './row.ts'

interface Options {
  asRow: DocumentRow
  /** Whether a first heading is its title. */
  isMarkdown?: boolean | undefined
  url?: string | undefined
}

/** Reads a plain text or Markdown document, which is one row. One that is longer than a row may be is refused. */
export function createTextReader({ asRow, isMarkdown = false, url }: Options): RowReader {
  let text = ''
  let isTooLong = false
  return {
    read(piece) {
      if (!isTooLong) text += piece
      isTooLong ||= text.length > maxRowBytes
      if (isTooLong) text = ''
      return []
    },
    end() {
      if (isTooLong) return rowOfDocument({ reason: tooLong }, asRow)
      const lines = text.replaceAll(/\r\n?/g, '\n')
      return rowOfDocument({ title: isMarkdown ? headingOf(lines) : undefined, text: lines.trim(), url }, asRow)
    },
  }
}

/** The heading of the first level that the text begins with (CommonMark, sections 4.2 and 4.3). */
function headingOf(text: string): string | undefined {
  const [first = '', second = ''] = text.trimStart().slice(0, 2000).split('\n', 2)
  if (/^=+ *$/.test(second)) return first.trim()
  const [, heading] = /^# +(\S.*)$/.exec(first) ?? []
  return heading?.replace(/ +#+ *$/, '').trim()
}
