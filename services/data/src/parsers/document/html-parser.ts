import { Parser } from 'htmlparser2'
import { type RowParser, rowTooLarge } from '../row.ts'
import { type DocumentMapper, toDocumentRows } from './document.ts'
import { addText, closeElement, createHtmlPage, openElement, toDocument } from './html-page.ts'

interface Options {
  toRow: DocumentMapper
  /** The address of the page; its links are relative to it. */
  url?: string | undefined
}

/** Longest source of a page, in UTF-16 code units; htmlparser2 keeps a tag that never ends as a whole. */
const maxPageLength = 16 * 1024 * 1024
/** Browsers stop at a similar depth; the parser gets slower with each level. */
const maxDepth = 1000

/**
 * Parses an HTML page into one row: title, headings, address and text, with each block element on a line of its own.
 * Leaves out scripts, styles, navigation and hidden elements. Parses the page as it arrives and as forgivingly as a
 * browser; only its text is kept.
 */
export function createHtmlParser({ toRow, url }: Options): RowParser {
  const page = createHtmlPage(url)
  let length = 0
  let isTooDeep = false
  const parser = new Parser({
    onopentag: (name, attributes) => openElement(page, name, attributes),
    ontext: (text) => addText(page, text),
    onclosetag: (name) => closeElement(page, name),
  })

  return {
    write(chunk) {
      length += chunk.length
      if (length > maxPageLength || isTooDeep || page.text.isTooLong()) return []
      parser.write(chunk)
      isTooDeep = page.depth > maxDepth
      return []
    },
    end() {
      if (length > maxPageLength)
        return toDocumentRows({ reason: `is a page larger than ${maxPageLength / 1_048_576} MiB` }, toRow)
      if (isTooDeep) return toDocumentRows({ reason: `is nested deeper than ${maxDepth} levels` }, toRow)
      parser.end()
      if (page.text.isTooLong()) return toDocumentRows({ reason: `has a text that ${rowTooLarge}` }, toRow)
      return toDocumentRows(toDocument(page), toRow)
    },
  }
}
