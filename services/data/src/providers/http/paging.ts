import type { HttpConfig } from '@wp/contracts'
import { crawlFailure } from '../crawl-failure.ts'
import type { PagePosition } from './crawl-cursor.ts'
import type { DocumentResult } from './read-document.ts'
import { isSameOrigin, isTlsDowngrade, redactUrl, resolveUrl, withQueryParameter } from './url.ts'

const maxPages = 10_000

/** Determines the address of each page and of the page after it. */
export interface Pager {
  urlOf(position: PagePosition): string
  /**
   * Returns the position after a page, undefined after the last one.
   * @param pageCount pages read so far
   * @throws JobFailure `config` if the next page is invalid, on another site or was read before
   */
  next(position: PagePosition, page: DocumentResult, pageCount: number): PagePosition | undefined
}

/** @param firstUrl address of the first page, with its query */
export function createPager(config: HttpConfig, firstUrl: string): Pager {
  const { paging } = config
  const isNumbered = paging?.type === 'page' || paging?.type === 'offset'
  const baseUrl =
    isNumbered && paging.size_parameter !== undefined && paging.size !== undefined
      ? withQueryParameter(firstUrl, paging.size_parameter, String(paging.size))
      : firstUrl
  const visitedUrls = new Set<string>()
  const pageDigests = new Set<string>()
  let previousRows: string[] = []
  let previousLast: string | undefined

  function urlOf(position: PagePosition): string {
    if ('link' in position) return position.link
    if ('cursor' in position && paging?.type === 'cursor')
      return withQueryParameter(baseUrl, paging.parameter, position.cursor)
    if (!isNumbered) return baseUrl
    return withQueryParameter(baseUrl, paging.parameter, String(pageNumber(position, paging.first)))
  }

  /**
   * Numbered pages that repeat mean that the server ignores the parameter, and those that move on by a row that it is
   * the number of a row: each row would be read many times.
   */
  function assertNotRepeated({ count, digest, firstRows, lastRow }: DocumentResult, pageCount: number): void {
    if (paging === undefined || count === 0) return
    // Without a number, equal pages may be of equal rows.
    if (pageDigests.has(digest) && (isNumbered || new Set(firstRows).size > 1))
      throw crawlFailure(
        'config',
        `Page ${pageCount} is identical to a page before${paging.type === 'link' ? '' : `: is the parameter \`${paging.parameter}\` right?`}`,
      )
    pageDigests.add(digest)
    if (!isNumbered) return
    const moved = previousRows.slice(1)
    if (
      paging.type === 'page' &&
      moved.length > 1 &&
      new Set(moved).size > 1 &&
      moved.every((row, at) => row === firstRows[at])
    )
      throw crawlFailure(
        'config',
        `Page ${pageCount} has the rows of the page before from its second one on: \`${paging.parameter}\` seems to count rows, not pages. Use paging of the type \`offset\``,
      )
    if (paging.type === 'offset' && count > 1 && firstRows[0] === previousLast)
      throw crawlFailure(
        'config',
        `Page ${pageCount} begins with the last row of the page before: is \`first\` of the paging right?`,
      )
    previousLast = lastRow
    previousRows = firstRows
  }

  return {
    urlOf,
    next(position, page, pageCount) {
      visitedUrls.add(urlOf(position))
      const next = nextPosition(config, position, page)
      const nextUrl = next && urlOf(next)
      if (nextUrl !== undefined && visitedUrls.has(nextUrl))
        throw crawlFailure('config', `Page ${pageCount} leads back to a page that was read: ${redactUrl(nextUrl)}`)
      assertNotRepeated(page, pageCount)
      if (next !== undefined && pageCount >= maxPages)
        throw crawlFailure('config', `There are more than ${maxPages} pages`)
      return next
    },
  }
}

const pageNumber = (position: PagePosition, first: number): number => ('page' in position ? position.page : first)

function nextPosition(
  { paging, url }: HttpConfig,
  position: PagePosition,
  page: DocumentResult,
): PagePosition | undefined {
  const link = paging?.type === 'link' && paging.path !== undefined ? (page.cursor ?? undefined) : page.link
  switch (paging?.type) {
    case 'link':
      return link === undefined ? undefined : { link: resolveNextLink(link, page.url, url) }
    case 'cursor':
      return page.cursor === null ? undefined : { cursor: page.cursor }
    case 'page':
      return page.count === 0 ? undefined : { page: pageNumber(position, paging.first) + 1 }
    case 'offset':
      return page.count === 0 ? undefined : { page: pageNumber(position, paging.first) + page.count }
    default:
      return undefined
  }
}

/**
 * Only the config decides which site a source is read from, so a link to another one is rejected.
 * @param from address of the page that has the link
 */
function resolveNextLink(link: string, from: string, sourceUrl: string): string {
  const next = resolveUrl(link, from)
  const reject = (reason: string) => crawlFailure('config', `${redactUrl(from)} links to ${reason}`)
  if (next === undefined) throw reject('a next page with an invalid address')
  if (isTlsDowngrade(from, next)) throw reject(`${redactUrl(next)} as its next page, which is not https`)
  if (!isSameOrigin(next, from) && !isSameOrigin(next, sourceUrl))
    throw reject(`${redactUrl(next)} as its next page, which is another site`)
  return next
}
