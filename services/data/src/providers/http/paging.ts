import type { HttpConfig } from '@wp/contracts'
import { failed } from '../failure.ts'
import { isDowngrade, isSameOrigin, resolve, shown, withParameter } from './address.ts'
import type { Place } from './bookmark.ts'
import type { Ended } from './read-document.ts'

const maxPages = 10_000

/** Finds the way from page to page. */
export interface Pages {
  addressOf(place: Place): string
  /** Where it goes on after a page; undefined: that was the last. @throws JobFailure where it leads nowhere, or back */
  after(place: Place, ended: Ended, pages: number): Place | undefined
}

/** @param start the address of the first page, with what it asks for in its query */
export function createPages({ url, paging }: HttpConfig, start: string): Pages {
  const first =
    paging?.type === 'page' && paging.size_parameter !== undefined && paging.size !== undefined
      ? withParameter(start, paging.size_parameter, String(paging.size))
      : start
  const been = new Set<string>()
  let digest: string | undefined

  function addressOf(place: Place): string {
    if ('link' in place) return place.link
    if ('cursor' in place && paging?.type === 'cursor') return withParameter(first, paging.parameter, place.cursor)
    if (paging?.type !== 'page') return first
    return withParameter(first, paging.parameter, String('page' in place ? place.page : paging.first))
  }

  function placeAfter(place: Place, ended: Ended): Place | undefined {
    switch (paging?.type) {
      case 'link':
        return ended.link === undefined ? undefined : { link: linked(ended.link, ended.url) }
      case 'cursor':
        return ended.cursor === null ? undefined : { cursor: ended.cursor }
      case 'page':
        return ended.count === 0 ? undefined : { page: ('page' in place ? place.page : paging.first) + 1 }
      default:
        return undefined
    }
  }

  /** Other sites are not for a server to send us to: where a source leads is said by its config. */
  function linked(link: string, from: string): string {
    const next = resolve(link, from)
    if (next === undefined) throw failed('config', `${shown(from)} links to a next page whose address is none`)
    if (isDowngrade(from, next))
      throw failed('config', `${shown(from)} links to ${shown(next)} as its next page, which is not https`)
    if (!isSameOrigin(next, from) && !isSameOrigin(next, url))
      throw failed('config', `${shown(from)} links to ${shown(next)} as its next page, which is another site`)
    return next
  }

  return {
    addressOf,
    after(place, ended, pages) {
      been.add(addressOf(place))
      if (paging?.type === 'page' && ended.count > 0) {
        if (digest === ended.digest)
          throw failed('config', `Page ${pages} says the same as the page before: is \`${paging.parameter}\` right?`)
        digest = ended.digest
      }
      const next = placeAfter(place, ended)
      if (next === undefined) return undefined
      if (been.has(addressOf(next)))
        throw failed('config', `Page ${pages} leads back to a page that was read before: ${shown(addressOf(next))}`)
      if (pages >= maxPages) throw failed('config', `There are more than ${maxPages} pages`)
      return next
    },
  }
}
