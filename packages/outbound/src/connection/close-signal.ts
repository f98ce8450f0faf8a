import type { OutboundError } from '../error.ts'

type Listener = (reason: OutboundError) => void

/**
 * Signals the closing of a client to every call in progress. Replaces AbortSignal, whose cost of adding and removing a
 * listener grows with their number: with some hundred calls in progress it equals the cost of the calls themselves.
 */
export class CloseSignal {
  readonly #listeners = new Set<Listener>()
  #reason: OutboundError | undefined

  /** Calls the listener when the client is closed; at once if it is closed already. */
  add(listener: Listener): void {
    this.#listeners.add(listener)
    if (this.#reason !== undefined) listener(this.#reason)
  }

  delete(listener: Listener): void {
    this.#listeners.delete(listener)
  }

  abort(reason: OutboundError): void {
    this.#reason = reason
    for (const listener of this.#listeners) listener(reason)
  }
}
