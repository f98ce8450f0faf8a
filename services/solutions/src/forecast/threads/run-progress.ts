import type { TaskOutput, ThreadTask } from './worker.ts'

/** A run in the threads: which tasks wait, which are finished. */
export class RunProgress {
  readonly #taskAt: (index: number) => ThreadTask
  readonly #outputs: TaskOutput[] = []
  readonly #parts: Float64Array
  #next = 0
  #finished = 0

  /** Tasks are made when a thread takes them, so that no copy of them waits. */
  constructor(count: number, taskAt: (index: number) => ThreadTask) {
    this.#taskAt = taskAt
    this.#parts = new Float64Array(count)
  }

  get hasWaiting(): boolean {
    return this.#next < this.#parts.length
  }

  get isFinished(): boolean {
    return this.#finished === this.#parts.length
  }

  /** Returns the next task and its position. */
  take(): { index: number; task: ThreadTask } {
    const index = this.#next
    this.#next += 1
    return { index, task: this.#taskAt(index) }
  }

  /** Notes how far a task is. @returns the progress of the run, 0 to 1 */
  advance(index: number, fraction: number): number {
    this.#parts[index] = fraction
    return this.#parts.reduce((sum, part) => sum + part, 0) / this.#parts.length
  }

  finish(index: number, output: TaskOutput): void {
    this.#outputs[index] = output
    this.#finished += 1
  }

  /** The outputs of all tasks, in order. */
  get outputs(): readonly TaskOutput[] {
    return this.#outputs
  }
}
