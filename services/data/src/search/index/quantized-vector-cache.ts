import type { QuantizedVectors } from '../../embeddings/quantized-vector.ts'

/** All sketches of a source, as they were in one version. The least recently used leave when there is no more room. */
export interface QuantizedVectorCache {
  get(name: string, version: number): readonly QuantizedVectors[] | undefined
  set(name: string, version: number, sketches: readonly QuantizedVectors[]): void
  /** Bytes of what is worth keeping. */
  readonly maxBytes: number
}

export const sizeInBytes = ({ values, documents }: QuantizedVectors): number => values.byteLength + 8 * documents.length

export function createQuantizedVectorCache(room: number): QuantizedVectorCache {
  const kept = new Map<string, { version: number; sketches: readonly QuantizedVectors[]; bytes: number }>()
  let bytes = 0
  function remove(name: string): void {
    bytes -= kept.get(name)?.bytes ?? 0
    kept.delete(name)
  }
  return {
    maxBytes: room,
    get(name, version) {
      const entry = kept.get(name)
      if (entry?.version !== version) return undefined
      // Maps keep the order of insertion: what is used goes to the end.
      kept.delete(name)
      kept.set(name, entry)
      return entry.sketches
    },
    set(name, version, sketches) {
      remove(name)
      const own = sketches.reduce((sum, one) => sum + sizeInBytes(one), 0)
      if (own > room) return
      kept.set(name, { version, sketches, bytes: own })
      bytes += own
      for (const first of kept.keys()) {
        if (bytes <= room) break
        remove(first)
      }
    },
  }
}
