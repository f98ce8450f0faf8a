import MiniSearch from 'minisearch'
import { searchOptions } from '../browser/search/search-options.ts'
import type { SearchEntry } from './site-page.ts'

/** Returns the index of the search, as JSON. */
export function createSearchIndex(entries: readonly SearchEntry[]): string {
  const index = new MiniSearch<SearchEntry>(searchOptions)
  index.addAll(entries)
  return JSON.stringify(index)
}
