import { isScope, type Scope } from '@wp/contracts'
import { LRUCache } from 'lru-cache'

/** Gives the same array for the same scopes: a hundred thousand credentials have a handful of sets between them. */
export interface ScopeSets {
  of(words: string): { text: string; scopes: Scope[] }
}

/** Different sets kept at most. */
const most = 10_000

export function createScopeSets(): ScopeSets {
  const known = new LRUCache<string, { text: string; scopes: Scope[] }>({ max: most })
  return {
    of(words) {
      const found = known.get(words)
      if (found !== undefined) return found
      const made = { text: words, scopes: words.split(' ').filter(isScope) }
      known.set(words, made)
      return made
    },
  }
}
