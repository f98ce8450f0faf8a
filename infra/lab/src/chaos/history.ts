import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'

interface Common {
  /** Position in the history; entries are numbered in the order in which they happened. */
  index: number
  /** Milliseconds since the beginning of the history. */
  atMs: number
  /** The process that performs the operation; it has one operation in progress at most. */
  client: string
  workspace: string
  /** The kind of resource, such as `API keys`. */
  object: string
}

/**
 * `ok`: it took effect. `fail`: it did not. `unknown`: it may have taken effect, or may do so later. Every operation
 * begins with `invoke`.
 */
type Phase = 'invoke' | 'ok' | 'fail' | 'unknown'

/** The creation of a resource with a unique value. */
export interface AddEntry extends Common {
  operation: 'add'
  type: Phase
  value: string
  /** Status and error code of a refusal. */
  reason?: string
}

/** A read of all values, of one view such as the list or the deliveries. `values` is set if it succeeded. */
export interface ReadSetEntry extends Common {
  operation: 'read-set'
  type: Phase
  view: string
  values?: readonly string[]
}

/** A read of the number of values, of one view such as the usage or the audit log. */
export interface ReadTotalEntry extends Common {
  operation: 'read-total'
  type: Phase
  view: string
  total?: number
}

/** An attempt to read the resources of another workspace. `values` are those that were in the response. */
export interface ReadForeignEntry extends Common {
  operation: 'read-foreign'
  type: Phase
  values?: readonly string[]
}

/** A webhook request that reported a value. */
export interface ReceiveEntry extends Common {
  operation: 'receive'
  type: 'ok'
  value: string
  ordering: 'best_effort' | 'strict'
}

export type Entry = AddEntry | ReadSetEntry | ReadTotalEntry | ReadForeignEntry | ReceiveEntry

/** Removes a property from each member of a union. */
type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never

/** An entry before it has its position. */
export type NewEntry = Without<Entry, 'index' | 'atMs'>

/** Records what happened, in memory and as JSON lines in a file. */
export class HistoryWriter {
  readonly entries: Entry[] = []
  #file: string
  #startedAt = performance.now()

  /** @param file is replaced */
  constructor(file: string) {
    this.#file = file
    writeFileSync(file, '')
  }

  record(entry: NewEntry): void {
    const atMs = Math.round(performance.now() - this.#startedAt)
    const numbered = { index: this.entries.length, atMs, ...entry } as Entry // position and time are all that a new entry lacks
    this.entries.push(numbered)
    appendFileSync(this.#file, `${JSON.stringify(numbered)}\n`)
  }
}

/** Reads a history that `HistoryWriter` wrote. */
export const readHistory = (file: string): Entry[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** An operation with its beginning and its end. */
export interface Operation<Kind extends Entry> {
  invokedAt: number
  /** Infinity for an operation that never ended. */
  completedAt: number
  result: Exclude<Phase, 'invoke'>
  /** The last entry of the operation. */
  entry: Kind
}

/** Joins the entries of each operation of a kind. An operation without an end has the result `unknown`. */
export function pairOperations<Name extends Exclude<Entry['operation'], 'receive'>>(
  history: readonly Entry[],
  name: Name,
): Operation<Extract<Entry, { operation: Name }>>[] {
  type Kind = Extract<Entry, { operation: Name }>
  const operations: Operation<Kind>[] = []
  const inProgress = new Map<string, Operation<Kind>>()
  for (const entry of history) {
    if (entry.operation !== name) continue
    const kind = entry as Kind // its operation is the name
    if (entry.type === 'invoke') {
      const operation = { invokedAt: entry.index, completedAt: Infinity, result: 'unknown' as const, entry: kind }
      operations.push(operation)
      inProgress.set(entry.client, operation)
      continue
    }
    const operation = inProgress.get(entry.client)
    if (operation === undefined) throw new Error(`entry ${entry.index} ends an operation that did not begin`)
    Object.assign(operation, { completedAt: entry.index, result: entry.type, entry: kind })
    inProgress.delete(entry.client)
  }
  return operations
}
