import { maxRowBytes } from '../row.ts'
import type { Document } from './document.ts'
import { createTextBuilder, type TextBuilder } from './text-builder.ts'

/** State of an HTML page that is parsed. */
export interface HtmlPage {
  /** The address of the page; undefined if it is not known. */
  readonly url: string | undefined
  readonly text: TextBuilder
  readonly headings: string[]
  title: string | undefined
  /** The text of the first `title` element while it is open. */
  openTitle: string | undefined
  openHeading: TextBuilder | undefined
  /** Depth within `pre` elements. */
  preformattedDepth: number
  /** Depth within an element that is left out. */
  ignoredDepth: number
  depth: number
  base: string | undefined
  canonical: string | undefined
}

const maxHeadings = 100
const maxHeadingLength = 1000
const maxTitleLength = 10_000

export const createHtmlPage = (url: string | undefined): HtmlPage => ({
  url,
  text: createTextBuilder(maxRowBytes),
  headings: [],
  title: undefined,
  openTitle: undefined,
  openHeading: undefined,
  canonical: undefined,
  base: url,
  preformattedDepth: 0,
  ignoredDepth: 0,
  depth: 0,
})

export function openElement(page: HtmlPage, name: string, attributes: Readonly<Record<string, string>>): void {
  page.depth++
  if (page.ignoredDepth > 0 || isIgnored(name, attributes)) page.ignoredDepth++
  else if (name === 'title') page.openTitle = page.title === undefined ? '' : undefined
  else if (name === 'base') page.base = resolveUrl(attributes.href, page.url) ?? page.base
  else if (name === 'link' && /(?:^|\s)canonical(?:\s|$)/i.test(attributes.rel ?? ''))
    page.canonical ??= attributes.href
  else if (name === 'br') page.text.separate('\n')
  else if (name === 'td' || name === 'th') page.text.separate('\t')
  else if (isBlock(name)) {
    page.text.separate('\n')
    if (name === 'pre') page.preformattedDepth++
    if (isHeading(name)) page.openHeading = createTextBuilder(maxHeadingLength)
  }
}

export function addText(page: HtmlPage, text: string): void {
  if (page.ignoredDepth > 0) return
  if (page.openTitle !== undefined) {
    if (page.openTitle.length < maxTitleLength) page.openTitle += text
    return
  }
  page.text.add(text, page.preformattedDepth > 0)
  page.openHeading?.add(text, false)
}

export function closeElement(page: HtmlPage, name: string): void {
  page.depth--
  if (page.ignoredDepth > 0) {
    page.ignoredDepth--
    return
  }
  if (name === 'title' && page.openTitle !== undefined) {
    page.title = page.openTitle.replaceAll(/\s+/g, ' ').trim() || undefined
    page.openTitle = undefined
  }
  if (!isBlock(name)) return
  page.text.separate('\n')
  if (name === 'pre' && page.preformattedDepth > 0) page.preformattedDepth--
  if (isHeading(name)) closeHeading(page)
}

function closeHeading(page: HtmlPage): void {
  const heading = page.openHeading?.text().replaceAll(/\s+/g, ' ') ?? ''
  if (heading !== '' && page.headings.length < maxHeadings) page.headings.push(heading)
  page.openHeading = undefined
}

export const toDocument = (page: HtmlPage): Document => ({
  title: page.title ?? page.headings[0],
  text: page.text.text(),
  url: canonicalUrl(page),
  headings: page.headings,
})

/**
 * A page may name its own address, but only on its own host: search results show it as a link. If the address of the
 * page is not known, any http or https address is accepted.
 */
function canonicalUrl({ canonical, base, url }: HtmlPage): string | undefined {
  const named = URL.parse(resolveUrl(canonical, base) ?? '')
  if (url === undefined) return named?.protocol === 'https:' || named?.protocol === 'http:' ? named.href : url
  return named !== null && named.host === new URL(url).host ? named.href : url
}

const resolveUrl = (address: string | undefined, base: string | undefined) =>
  address === undefined ? undefined : URL.parse(address.trim(), base)?.href

/** Elements without readable content of the page itself. */
const ignoredElements = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'math', 'canvas', 'nav', 'iframe', 'object', 'embed'],
  ...['audio', 'video', 'map', 'dialog', 'select', 'button', 'datalist'],
])
const ignoredRoles = new Set(['navigation', 'search', 'menu', 'menubar'])

/** Elements that begin and end a line of their own. */
const blockElements = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'body', 'caption', 'center', 'dd', 'details', 'div', 'dl', 'dt'],
  ...['fieldset', 'figcaption', 'figure', 'footer', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'head', 'header'],
  ...['hgroup', 'hr', 'html', 'legend', 'li', 'main', 'menu', 'ol', 'optgroup', 'option', 'p', 'pre', 'section'],
  ...['summary', 'table', 'tbody', 'tfoot', 'thead', 'tr', 'ul'],
])

const isBlock = (name: string): boolean => blockElements.has(name)
const isHeading = (name: string): boolean => /^h[1-6]$/.test(name)

/** Returns true for an element whose content is left out: scripts, navigation, hidden elements and the like. */
function isIgnored(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (ignoredElements.has(name)) return true
  return (
    attributes.hidden !== undefined ||
    attributes['aria-hidden'] === 'true' ||
    ignoredRoles.has((attributes.role ?? '').toLowerCase())
  )
}
