const [scaleBytes, steps] = [4, 127]

/**
 * Quantizes a vector to one byte a dimension: 4 bytes of scale, then each value as a multiple of it (-127 to 127). Dot
 * products with the result differ from the exact ones by a few ten-thousandths.
 */
export function encodeQuantizedVector(vector: Float32Array): Buffer {
  const scale = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0) / steps
  const bytes = Buffer.allocUnsafe(scaleBytes + vector.length)
  bytes.writeFloatLE(scale, 0)
  for (const [index, value] of vector.entries()) bytes.writeInt8(Math.round(value / scale), scaleBytes + index)
  return bytes
}

/** The quantized vectors of some chunks. */
export interface QuantizedVectors {
  /** Document number of each chunk within its source. */
  documents: Uint32Array
  scales: Float32Array
  /** The values of all vectors, concatenated. */
  values: Int8Array
  dimensions: number
}

/** @param stored quantized vectors of one size, concatenated */
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
