import { isScope, type Scope } from '@wp/contracts'
import { LRUCache } from 'lru-cache'

/** Gives the same array for the same scopes: a hundred thousand credentials have a handful of sets between them. */
export interface ScopeCache {
  parse(words: string): { text: string; scopes: Scope[] }
}

/** Different sets kept at most. */
const maxSets = 10_000

export function createScopeCache(): ScopeCache {
  const known = new LRUCache<string, { text: string; scopes: Scope[] }>({ max: maxSets })
  return {
    parse(words) {
      const found = known.get(words)
      if (found !== undefined) return found
      const made = { text: words, scopes: words.split(' ').filter(isScope) }
      known.set(words, made)
      return made
    },
  }
}
