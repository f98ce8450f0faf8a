/** Longest vector that is taken. */
export const maxDimensions = 4_096

/** A vector of length 1, so that the cosine of two is their product; undefined where it has no direction. */
export function unitVector(values: readonly number[]): Float32Array | undefined {
  const length = Math.hypot(...values)
  return length > 0 && Number.isFinite(length) ? Float32Array.from(values, (value) => value / length) : undefined
}

/** For its column: four bytes a dimension, little-endian. */
export function encodeVector(vector: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(vector.length * 4)
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4)
  return bytes
}

export function decodeVector(bytes: Buffer): Float32Array {
  const vector = new Float32Array(bytes.length / 4)
  for (let at = 0; at < vector.length; at++) vector[at] = bytes.readFloatLE(at * 4)
  return vector
}

export function dotProduct(one: Float32Array, other: Float32Array): number {
  let sum = 0
  // Both have the same length, which whoever compares them has seen to.
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number)
  return sum
}

const [scaleBytes, steps] = [4, 127]

/**
 * A vector in a byte a dimension: four bytes of scale, then how many of its steps each value is. Products with it differ
 * from the exact ones by a few ten-thousandths.
 */
export function encodeQuantizedVector(vector: Float32Array): Buffer {
  const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / steps
  const bytes = Buffer.allocUnsafe(scaleBytes + vector.length)
  bytes.writeFloatLE(scale, 0)
  for (const [at, value] of vector.entries()) bytes.writeInt8(Math.round(value / scale), scaleBytes + at)
  return bytes
}

/** The sketches of some chunks. */
export interface QuantizedVectors {
  /** The document of each, by its number within its source. */
  documents: Uint32Array
  scales: Float32Array
  /** One after the other. */
  values: Int8Array
  dimensions: number
}

/** @param stored encoded sketches of one size, one after the other */
export function decodeQuantizedVectors(documents: readonly number[], stored: Buffer): QuantizedVectors {
  const stride = documents.length === 0 ? scaleBytes : stored.length / documents.length
  const dimensions = stride - scaleBytes
  const scales = new Float32Array(documents.length)
  const values = new Int8Array(documents.length * dimensions)
  for (let nth = 0; nth < documents.length; nth++) {
    scales[nth] = stored.readFloatLE(nth * stride)
    values.set(stored.subarray(nth * stride + scaleBytes, (nth + 1) * stride), nth * dimensions)
  }
  return { documents: Uint32Array.from(documents), scales, values, dimensions }
}

/** Tells of each chunk how near it is. */
export function forEachSimilarity(
  { documents, scales, values, dimensions }: QuantizedVectors,
  vector: Float32Array,
  tell: (document: number, nearness: number) => void,
): void {
  for (let nth = 0, from = 0; nth < documents.length; nth++, from += dimensions) {
    let sum = 0
    // Every index is below the length it was made with, and both vectors have the same length.
    for (let at = 0; at < dimensions; at++) sum += (values[from + at] as number) * (vector[at] as number)
    tell(documents[nth] as number, sum * (scales[nth] as number))
  }
}
