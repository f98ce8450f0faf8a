import type { QuantizedVectors } from '../store/embeddings/quantized-vector.ts'

/** Maximum number of dimensions. */
export const maxDimensions = 4_096

/** Scales a vector to length 1, so that dot products are cosines; undefined if its length is 0 or not finite. */
export function unitVector(values: readonly number[]): Float32Array | undefined {
  const length = Math.hypot(...values)
  return length > 0 && Number.isFinite(length) ? Float32Array.from(values, (value) => value / length) : undefined
}

/** Both vectors must have the same number of dimensions. */
export function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0
  // Both have values at every index below the common length.
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number)
  return sum
}

/** Calls `visit` with the document and the similarity of each chunk. Dimensions must be the same. */
export function forEachSimilarity(
  { documents, scales, values, dimensions }: QuantizedVectors,
  vector: Float32Array,
  visit: (document: number, similarity: number) => void,
): void {
  for (let nth = 0, from = 0; nth < documents.length; nth++, from += dimensions) {
    let sum = 0
    // Every index is below the length of its array, and both vectors have the same dimensions.
    for (let index = 0; index < dimensions; index++) sum += (values[from + index] as number) * (vector[index] as number)
    visit(documents[nth] as number, sum * (scales[nth] as number))
  }
}
