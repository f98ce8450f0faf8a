import { Parser } from 'htmlparser2'
import { type DocumentRow, rowOfDocument } from './document.ts'
import { createFlowingText } from './flowing-text.ts'
import { maxRowBytes, type RowReader, tooLong } from './row.ts'

interface Options {
  asRow: DocumentRow
  /** Where the page was found; what it links to is relative to this. */
  url?: string | undefined
}

/** Longest source of a page, in UTF-16 code units; a tag that never ends is held as a whole. */
const maxPageLength = 16 * 1024 * 1024
const maxHeadings = 100
/** No browser follows so deep; each level makes the parser slower. */
const maxDepth = 1000

/** What says nothing, or nothing of this page. */
const dropped = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'math', 'canvas', 'nav', 'iframe', 'object', 'embed'],
  ...['audio', 'video', 'map', 'dialog', 'select', 'button', 'datalist'],
])
const roles = new Set(['navigation', 'search', 'menu', 'menubar'])

/** What stands on lines of its own. */
const blocks = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'body', 'caption', 'center', 'dd', 'details', 'div', 'dl', 'dt'],
  ...['fieldset', 'figcaption', 'figure', 'footer', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'head', 'header'],
  ...['hgroup', 'hr', 'html', 'legend', 'li', 'main', 'menu', 'ol', 'optgroup', 'option', 'p', 'pre', 'section'],
  ...['summary', 'table', 'tbody', 'tfoot', 'thead', 'tr', 'ul'],
])
const isHeading = (name: string) => /^h[1-6]$/.test(name)

/**
 * Turns an HTML page into one row: title, headings, address and text, in which blocks stand on lines of their own.
 * Scripts, styles, navigation and what is hidden are left out. The page is read as it arrives, and forgivingly, as
 * browsers do; only its text is kept.
 */
export function createHtmlReader({ asRow, url }: Options): RowReader {
  const text = createFlowingText(maxRowBytes)
  const headings: string[] = []
  let title: string | undefined
  let heading: ReturnType<typeof createFlowingText> | undefined
  let inTitle = ''
  let isTitle = false
  let preformatted = 0
  /** How deep within what is dropped. */
  let hidden = 0
  let base = url
  let canonical: string | undefined
  let length = 0
  let depth = 0
  let isTooDeep = false

  const parser = new Parser({
    onopentag(name, attributes) {
      depth++
      if (hidden > 0 || isDropped(name, attributes)) hidden++
      else if (name === 'title') isTitle = title === undefined
      else if (name === 'base') base = resolved(attributes.href, url) ?? base
      else if (name === 'link' && /(?:^|\s)canonical(?:\s|$)/i.test(attributes.rel ?? '')) canonical ??= attributes.href
      else if (name === 'br') text.gap('\n')
      else if (name === 'td' || name === 'th') text.gap('\t')
      else if (blocks.has(name)) {
        text.gap('\n')
        if (name === 'pre') preformatted++
        if (isHeading(name)) heading = createFlowingText(1000)
      }
    },
    ontext(piece) {
      if (hidden > 0) return
      if (isTitle) {
        if (inTitle.length < 10_000) inTitle += piece
        return
      }
      text.add(piece, preformatted > 0)
      heading?.add(piece, false)
    },
    onclosetag(name) {
      depth--
      if (hidden > 0) {
        hidden--
        return
      }
      if (name === 'title' && isTitle) {
        isTitle = false
        title = inTitle.replaceAll(/\s+/g, ' ').trim() || undefined
      }
      if (!blocks.has(name)) return
      text.gap('\n')
      if (name === 'pre' && preformatted > 0) preformatted--
      if (!isHeading(name) || heading === undefined) return
      const words = heading.text().replaceAll(/\s+/g, ' ')
      if (words !== '' && headings.length < maxHeadings) headings.push(words)
      heading = undefined
    },
  })

  return {
    read(piece) {
      length += piece.length
      if (length > maxPageLength || isTooDeep || text.isTooLong()) return []
      parser.write(piece)
      isTooDeep = depth > maxDepth
      return []
    },
    end() {
      if (length > maxPageLength)
        return rowOfDocument({ reason: `is a page larger than ${maxPageLength / 1_048_576} MiB` }, asRow)
      if (isTooDeep) return rowOfDocument({ reason: `is nested deeper than ${maxDepth} levels` }, asRow)
      parser.end()
      if (text.isTooLong()) return rowOfDocument({ reason: `has a text that ${tooLong}` }, asRow)
      return rowOfDocument(
        {
          title: title ?? headings[0],
          text: text.text(),
          url: canonicalOf(canonical, base, url),
          headings,
        },
        asRow,
      )
    },
  }
}

function isDropped(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (dropped.has(name)) return true
  return (
    attributes.hidden !== undefined ||
    attributes['aria-hidden'] === 'true' ||
    roles.has((attributes.role ?? '').toLowerCase())
  )
}

const resolved = (address: string | undefined, base: string | undefined) =>
  address === undefined ? undefined : URL.parse(address.trim(), base)?.href

/** A page may say where it belongs, but only on its own site: it is what stands in results as its address. */
function canonicalOf(
  address: string | undefined,
  base: string | undefined,
  url: string | undefined,
): string | undefined {
  const canonical = URL.parse(resolved(address, base) ?? '')
  if (url === undefined)
    return canonical?.protocol === 'https:' || canonical?.protocol === 'http:' ? canonical.href : url
  return canonical !== null && canonical.host === new URL(url).host ? canonical.href : url
}
