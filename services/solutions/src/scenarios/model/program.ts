import type { Highs, ModelData } from 'highs'

/** A linear program that is built column by column and row by row. Columns are at least 0. */
export class Program {
  readonly #costs: number[] = []
  readonly #upper: number[] = []
  readonly #isInteger: boolean[] = []
  readonly #starts = [0]
  readonly #indices: number[] = []
  readonly #values: number[] = []
  readonly #least: number[] = []
  readonly #most: number[] = []

  /** Adds a column. @returns its position */
  addColumn(cost: number, upper = Infinity, isInteger = false): number {
    this.#upper.push(upper)
    this.#isInteger.push(isInteger)
    return this.#costs.push(cost) - 1
  }

  addRow(terms: readonly (readonly [column: number, coefficient: number])[], least: number, most: number): void {
    for (const [column, coefficient] of terms) {
      this.#indices.push(column)
      this.#values.push(coefficient)
    }
    this.#starts.push(this.#indices.length)
    this.#least.push(least)
    this.#most.push(most)
  }

  /** Adds that a column is at most another one, or so many times another one. */
  addBound(column: number, other: number, times = 1): void {
    const terms = [[column, 1] as const, [other, -times] as const]
    this.addRow(terms, -Infinity, 0)
  }

  /**
   * Solves the program.
   * @param seconds of processor time: on a busy machine, the same work takes longer
   * @returns the values of the columns and the relative gap; null if there is no solution
   * @throws TimeLimitError if none was found in time; Error if the solver fails
   */
  solve(
    highs: Highs,
    { seconds, gap }: { seconds: number; gap: number },
  ): { values: Float64Array; gap: number } | null {
    const startedAt = threadSeconds()
    try {
      return this.#run(highs, { seconds, gap })
    } catch (error) {
      // The solver only knows the clock on the wall.
      const used = threadSeconds() - startedAt
      if (!(error instanceof TimeLimitError) || used > seconds / 2) throw error
      return this.#run(highs, { seconds: seconds * Math.min(mostTimes, seconds / used), gap })
    }
  }

  #run(highs: Highs, { seconds, gap }: { seconds: number; gap: number }) {
    const { modelStatus, variableType } = highs.constants
    return highs.withModel(this.#data(variableType), (model) => {
      model.options.set({ output_flag: false, time_limit: seconds, mip_rel_gap: gap, random_seed: 1 })
      model.run()
      const status = model.getModelStatus()
      if (status === modelStatus.infeasible || status === modelStatus.unboundedOrInfeasible) return null
      // Without columns nothing is solved, and the value of every row is 0.
      if (status === modelStatus.empty)
        return this.#least.some((least, row) => least > 0 || (this.#most[row] ?? 0) < 0)
          ? null
          : { values: new Float64Array(), gap: 0 }
      const found = model.info.get('primal_solution_status')
      if (status === modelStatus.timeLimit && found !== feasiblePoint) throw new TimeLimitError()
      if (status !== modelStatus.optimal && status !== modelStatus.timeLimit)
        throw new Error(`the solver ended with model status ${status}`)
      const isMip = this.#isInteger.includes(true)
      const reached = isMip ? Number(model.info.get('mip_gap')) : 0
      return { values: model.getSolution().colValue, gap: Number.isFinite(reached) ? Math.max(0, reached) : 1 }
    })
  }

  #data({ integer, continuous }: Highs['constants']['variableType']): ModelData {
    return {
      numCols: this.#costs.length,
      numRows: this.#least.length,
      colCost: this.#costs,
      colLower: this.#costs.map(() => 0),
      colUpper: this.#upper,
      rowLower: this.#least,
      rowUpper: this.#most,
      integrality: this.#isInteger.map((isInteger) => (isInteger ? integer : continuous)),
      matrix: {
        format: 'csr',
        numRows: this.#least.length,
        numCols: this.#costs.length,
        starts: this.#starts,
        indices: this.#indices,
        values: this.#values,
      },
    }
  }
}

const feasiblePoint = 2
/** The factor by which the time may be stretched on a busy machine. */
const mostTimes = 20

/** Returns the processor time that the thread has used, in seconds. */
export function threadSeconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1e6
}

/** Thrown where no solution was found within the time limit. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
}
