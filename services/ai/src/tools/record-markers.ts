import type { RetrievedRecord } from './tool.ts'

/** A record with the number of its marker, `[1]`. */
export interface MarkedRecord extends RetrievedRecord {
  index: number
}

/** Numbers the records that the tools of a run return, in the order of their first appearance. */
export class RecordMarkers {
  readonly #byId = new Map<string, MarkedRecord>()

  /** @param earlier records that were numbered before, when a run continues */
  constructor(earlier: readonly MarkedRecord[] = []) {
    for (const record of earlier) this.#byId.set(record.record_id, record)
  }

  /** The numbered records, in order. */
  get records(): MarkedRecord[] {
    return [...this.#byId.values()]
  }

  /** Numbers records. A record that has a number keeps it. */
  add(records: readonly RetrievedRecord[]): void {
    for (const record of records)
      if (!this.#byId.has(record.record_id)) this.#byId.set(record.record_id, { ...record, index: this.#byId.size + 1 })
  }

  /**
   * Returns an output in which every object with the `record_id` of a numbered record has its marker as `cite_as`. A
   * member of that name in the data is left out: it could pass one record off as another.
   */
  mark(output: unknown): unknown {
    if (Array.isArray(output)) return output.map((element) => this.mark(element))
    if (typeof output !== 'object' || output === null) return output
    const members = Object.entries(output)
      .filter(([name]) => name !== 'cite_as')
      .map(([name, value]) => [name, this.mark(value)])
    const id: unknown = Reflect.get(output, 'record_id')
    const record = typeof id === 'string' ? this.#byId.get(id) : undefined
    return Object.fromEntries(record === undefined ? members : [['cite_as', `[${record.index}]`], ...members])
  }
}
