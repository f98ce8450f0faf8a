import MiniSearch, { type SearchResult } from 'minisearch'
import { searchOptions } from './search-options.ts'

/** A part of the documentation that matches. */
export interface Result {
  address: string
  title: string
  page: string
  section: string
  /** The text around the first match. */
  excerpt: string
}

export type Search = (query: string) => Result[]

const maxResults = 12
const excerptLength = 140

/** Loads the index. @throws if it cannot be loaded */
export async function createSearch(address: string): Promise<Search> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`the search index was answered ${response.status}`)
  const index = MiniSearch.loadJSON(await response.text(), searchOptions)
  return (query) =>
    searchEntries(index, query)
      .slice(0, maxResults)
      .map(({ id, title, page, section, text, terms }) => ({
        address: String(id),
        title: String(title),
        page: String(page),
        section: String(section),
        excerpt: excerptOf(String(text), terms),
      }))
}

/** Parts that have every word or, if none has, those that have most of them: a question has words that no page has. */
function searchEntries(index: MiniSearch, query: string): SearchResult[] {
  const found = index.search(query)
  return found.length > 0 ? found : index.search(query, { combineWith: 'OR' })
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  const found = terms.map((term) => lower.indexOf(term)).filter((position) => position >= 0)
  const start = Math.max(0, Math.min(...(found.length > 0 ? found : [0])) - 40)
  const begin = start === 0 ? 0 : text.indexOf(' ', start) + 1
  const cut = text.slice(begin, begin + excerptLength)
  return `${begin > 0 ? '… ' : ''}${cut}${begin + excerptLength < text.length ? ' …' : ''}`
}
