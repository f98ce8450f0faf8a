import { Parser } from 'htmlparser2'
import { maxRowBytes, type RowParser, rowTooLarge } from '../row.ts'
import { type DocumentMapper, toDocumentRows } from './document.ts'
import { createTextBuilder } from './text-builder.ts'

interface Options {
  toRow: DocumentMapper
  /** Where the page was found; what it links to is relative to this. */
  url?: string | undefined
}

/** Longest source of a page, in UTF-16 code units; a tag that never ends is held as a whole. */
const maxPageLength = 16 * 1024 * 1024
const maxHeadings = 100
/** No browser follows so deep; each level makes the parser slower. */
const maxDepth = 1000

/** What says nothing, or nothing of this page. */
const ignoredElements = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'math', 'canvas', 'nav', 'iframe', 'object', 'embed'],
  ...['audio', 'video', 'map', 'dialog', 'select', 'button', 'datalist'],
])
const ignoredRoles = new Set(['navigation', 'search', 'menu', 'menubar'])

/** What stands on lines of its own. */
const blockElements = new Set([
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
export function createHtmlParser({ toRow, url }: Options): RowParser {
  const text = createTextBuilder(maxRowBytes)
  const headings: string[] = []
  let title: string | undefined
  let heading: ReturnType<typeof createTextBuilder> | undefined
  let titleText = ''
  let isInTitle = false
  let preformattedDepth = 0
  /** How deep within what is dropped. */
  let ignoredDepth = 0
  let base = url
  let canonical: string | undefined
  let length = 0
  let depth = 0
  let isTooDeep = false

  const parser = new Parser({
    onopentag(name, attributes) {
      depth++
      if (ignoredDepth > 0 || isIgnored(name, attributes)) ignoredDepth++
      else if (name === 'title') isInTitle = title === undefined
      else if (name === 'base') base = resolveUrl(attributes.href, url) ?? base
      else if (name === 'link' && /(?:^|\s)canonical(?:\s|$)/i.test(attributes.rel ?? '')) canonical ??= attributes.href
      else if (name === 'br') text.separate('\n')
      else if (name === 'td' || name === 'th') text.separate('\t')
      else if (blockElements.has(name)) {
        text.separate('\n')
        if (name === 'pre') preformattedDepth++
        if (isHeading(name)) heading = createTextBuilder(1000)
      }
    },
    ontext(piece) {
      if (ignoredDepth > 0) return
      if (isInTitle) {
        if (titleText.length < 10_000) titleText += piece
        return
      }
      text.add(piece, preformattedDepth > 0)
      heading?.add(piece, false)
    },
    onclosetag(name) {
      depth--
      if (ignoredDepth > 0) {
        ignoredDepth--
        return
      }
      if (name === 'title' && isInTitle) {
        isInTitle = false
        title = titleText.replaceAll(/\s+/g, ' ').trim() || undefined
      }
      if (!blockElements.has(name)) return
      text.separate('\n')
      if (name === 'pre' && preformattedDepth > 0) preformattedDepth--
      if (!isHeading(name) || heading === undefined) return
      const words = heading.text().replaceAll(/\s+/g, ' ')
      if (words !== '' && headings.length < maxHeadings) headings.push(words)
      heading = undefined
    },
  })

  return {
    write(piece) {
      length += piece.length
      if (length > maxPageLength || isTooDeep || text.isTooLong()) return []
      parser.write(piece)
      isTooDeep = depth > maxDepth
      return []
    },
    end() {
      if (length > maxPageLength)
        return toDocumentRows({ reason: `is a page larger than ${maxPageLength / 1_048_576} MiB` }, toRow)
      if (isTooDeep) return toDocumentRows({ reason: `is nested deeper than ${maxDepth} levels` }, toRow)
      parser.end()
      if (text.isTooLong()) return toDocumentRows({ reason: `has a text that ${rowTooLarge}` }, toRow)
      return toDocumentRows(
        {
          title: title ?? headings[0],
          text: text.text(),
          url: canonicalUrl(canonical, base, url),
          headings,
        },
        toRow,
      )
    },
  }
}

function isIgnored(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (ignoredElements.has(name)) return true
  return (
    attributes.hidden !== undefined ||
    attributes['aria-hidden'] === 'true' ||
    ignoredRoles.has((attributes.role ?? '').toLowerCase())
  )
}

const resolveUrl = (address: string | undefined, base: string | undefined) =>
  address === undefined ? undefined : URL.parse(address.trim(), base)?.href

/** A page may say where it belongs, but only on its own site: it is what stands in results as its address. */
function canonicalUrl(
  address: string | undefined,
  base: string | undefined,
  url: string | undefined,
): string | undefined {
  const canonical = URL.parse(resolveUrl(address, base) ?? '')
  if (url === undefined)
    return canonical?.protocol === 'https:' || canonical?.protocol === 'http:' ? canonical.href : url
  return canonical !== null && canonical.host === new URL(url).host ? canonical.href : url
}
