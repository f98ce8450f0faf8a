import { maxRowBytes, type RowParser, rowTooLarge } from '../row.ts'
import { type DocumentMapper, toDocumentRows } from './document.ts'

interface Options {
  toRow: DocumentMapper
  /** Takes a heading at the beginning as the title. */
  isMarkdown?: boolean | undefined
  url?: string | undefined
}

/** Parses a plain text or Markdown document into one row, an invalid one if it is larger than a row may be. */
export function createTextParser({ toRow, isMarkdown = false, url }: Options): RowParser {
  let text = ''
  let isTooLong = false
  return {
    write(chunk) {
      if (!isTooLong) text += chunk
      isTooLong ||= text.length > maxRowBytes
      if (isTooLong) text = ''
      return []
    },
    end() {
      if (isTooLong) return toDocumentRows({ reason: rowTooLarge }, toRow)
      const lines = text.replaceAll(/\r\n?/g, '\n')
      return toDocumentRows({ title: isMarkdown ? markdownTitle(lines) : undefined, text: lines.trim(), url }, toRow)
    },
  }
}

/** Returns the level 1 heading that the text begins with (CommonMark, sections 4.2 and 4.3). */
function markdownTitle(text: string): string | undefined {
  const [first = '', second = ''] = text.trimStart().slice(0, 2000).split('\n', 2)
  if (/^=+ *$/.test(second)) return first.trim()
  const [, heading] = /^# +(\S.*)$/.exec(first) ?? []
  return heading?.replace(/ +#+ *$/, '').trim()
}
