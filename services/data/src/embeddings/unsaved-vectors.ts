import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** One record, or one round of requests to a usual provider; at most 4 MiB. */
const maxVectors = 256

/**
 * Vectors that were received and are not saved yet. A turn that ends before its batch is saved does not lose them: a
 * slow provider would otherwise never come to the end of a long record.
 */
export interface UnsavedVectors {
  /**
   * Returns one vector a text, in order.
   * @param owner workspace and space, which vectors are not shared beyond
   * @param embed is called with the texts that have no vector, unless there are none
   */
  complete(
    owner: string,
    texts: readonly string[],
    embed: (texts: readonly string[]) => Promise<Float32Array[]>,
  ): Promise<Float32Array[]>
  /** Removes the vectors of an owner, whose batch is saved. */
  forget(owner: string): void
}

export function createUnsavedVectors(): UnsavedVectors {
  const vectors = new LRUCache<string, Float32Array>({ max: maxVectors })
  return {
    async complete(owner, texts, embed) {
      const keys = texts.map((text) => `${owner} ${hash('sha256', text, 'base64')}`)
      const unsaved = keys.map((key) => vectors.get(key))
      const missing = texts.filter((_, nth) => unsaved[nth] === undefined)
      const made = missing.length === 0 ? [] : await embed(missing)
      let next = 0
      return keys.flatMap((key, nth) => {
        const vector = unsaved[nth] ?? made[next++]
        if (vector === undefined) return []
        vectors.set(key, vector)
        return [vector]
      })
    },
    forget(owner) {
      for (const key of vectors.keys()) if (key.startsWith(`${owner} `)) vectors.delete(key)
    },
  }
}
