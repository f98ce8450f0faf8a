/** A symmetric matrix of `size` rows, row by row; only its lower triangle is read. */
export interface SymmetricMatrix {
  size: number
  values: Float64Array
}

/** Factors a positive definite matrix in place, and returns a function that solves for a right side, in place too. */
export function factorize({ size, values }: SymmetricMatrix): (right: Float64Array) => Float64Array {
  for (let i = 0; i < size; i += 1) {
    const rowI = i * size
    const diagonal = values[rowI + i] ?? 0
    for (let j = 0; j <= i; j += 1) {
      const rowJ = j * size
      let sum = values[rowI + j] ?? 0
      for (let k = 0; k < j; k += 1) sum -= (values[rowI + k] ?? 0) * (values[rowJ + k] ?? 0)
      values[rowI + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12 * diagonal, 1e-200)) : sum / (values[rowJ + j] ?? 1)
    }
  }
  return (right) => {
    for (let i = 0; i < size; i += 1) {
      let sum = right[i] ?? 0
      for (let k = 0; k < i; k += 1) sum -= (values[i * size + k] ?? 0) * (right[k] ?? 0)
      right[i] = sum / (values[i * size + i] ?? 1)
    }
    for (let i = size - 1; i >= 0; i -= 1) {
      const solved = (right[i] ?? 0) / (values[i * size + i] ?? 1)
      right[i] = solved
      for (let k = 0; k < i; k += 1) right[k] = (right[k] ?? 0) - (values[i * size + k] ?? 0) * solved
    }
    return right
  }
}
