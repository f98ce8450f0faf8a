import type { HttpConfig } from '@wp/contracts'
import { crawlFailure } from '../crawl-failure.ts'
import type { PagePosition } from './crawl-cursor.ts'
import type { DocumentResult } from './read-document.ts'
import { isSameOrigin, isTlsDowngrade, redactUrl, resolveUrl, withQueryParameter } from './url.ts'

const maxPages = 10_000

/** Finds the way from page to page. */
export interface Pager {
  urlOf(place: PagePosition): string
  /** Where it goes on after a page; undefined: that was the last. @throws JobFailure where it leads nowhere, or back */
  next(place: PagePosition, ended: DocumentResult, pages: number): PagePosition | undefined
}

/** @param start the address of the first page, with what it asks for in its query */
export function createPager({ url, paging }: HttpConfig, start: string): Pager {
  const first =
    paging?.type === 'page' && paging.size_parameter !== undefined && paging.size !== undefined
      ? withQueryParameter(start, paging.size_parameter, String(paging.size))
      : start
  const visitedUrls = new Set<string>()
  let digest: string | undefined

  function addressOf(place: PagePosition): string {
    if ('link' in place) return place.link
    if ('cursor' in place && paging?.type === 'cursor') return withQueryParameter(first, paging.parameter, place.cursor)
    if (paging?.type !== 'page') return first
    return withQueryParameter(first, paging.parameter, String('page' in place ? place.page : paging.first))
  }

  function nextPosition(place: PagePosition, ended: DocumentResult): PagePosition | undefined {
    switch (paging?.type) {
      case 'link':
        return ended.link === undefined ? undefined : { link: resolveNextLink(ended.link, ended.url) }
      case 'cursor':
        return ended.cursor === null ? undefined : { cursor: ended.cursor }
      case 'page':
        return ended.count === 0 ? undefined : { page: ('page' in place ? place.page : paging.first) + 1 }
      default:
        return undefined
    }
  }

  /** Other sites are not for a server to send us to: where a source leads is said by its config. */
  function resolveNextLink(link: string, from: string): string {
    const next = resolveUrl(link, from)
    if (next === undefined)
      throw crawlFailure('config', `${redactUrl(from)} links to a next page whose address is none`)
    if (isTlsDowngrade(from, next))
      throw crawlFailure(
        'config',
        `${redactUrl(from)} links to ${redactUrl(next)} as its next page, which is not https`,
      )
    if (!isSameOrigin(next, from) && !isSameOrigin(next, url))
      throw crawlFailure(
        'config',
        `${redactUrl(from)} links to ${redactUrl(next)} as its next page, which is another site`,
      )
    return next
  }

  return {
    urlOf: addressOf,
    next(place, ended, pages) {
      visitedUrls.add(addressOf(place))
      if (paging?.type === 'page' && ended.count > 0) {
        if (digest === ended.digest)
          throw crawlFailure(
            'config',
            `Page ${pages} says the same as the page before: is \`${paging.parameter}\` right?`,
          )
        digest = ended.digest
      }
      const next = nextPosition(place, ended)
      if (next === undefined) return undefined
      if (visitedUrls.has(addressOf(next)))
        throw crawlFailure(
          'config',
          `Page ${pages} leads back to a page that was read before: ${redactUrl(addressOf(next))}`,
        )
      if (pages >= maxPages) throw crawlFailure('config', `There are more than ${maxPages} pages`)
      return next
    },
  }
}
