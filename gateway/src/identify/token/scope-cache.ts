import { isScope, type Scope } from '@wp/contracts'
import { entryLimit } from '@wp/runtime'
import { LRUCache } from 'lru-cache'

/** A scope list as a token states it, and parsed. */
interface ScopeList {
  text: string
  scopes: Scope[]
}

/** Parses scope lists and returns the same object for the same text: very many credentials share few lists. */
export interface ScopeCache {
  /** @param text scopes separated by spaces; unknown ones are dropped */
  parse(text: string): ScopeList
}

const maxLists = 10_000

export function createScopeCache(): ScopeCache {
  const lists = new LRUCache<string, ScopeList>(entryLimit(maxLists))
  return {
    parse(text) {
      const cached = lists.get(text)
      if (cached !== undefined) return cached
      const list = { text, scopes: text.split(' ').filter(isScope) }
      lists.set(text, list)
      return list
    },
  }
}
