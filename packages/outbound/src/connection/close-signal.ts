import type { OutboundError } from '../error.ts'

type Listener = (reason: OutboundError) => void

/**
 * The end of a client, heard by every call under way. Not an AbortSignal: that one looks through all its listeners
 * whenever one comes or goes, which with some hundred calls under way costs as much as the calls themselves.
 */
export class CloseSignal {
  readonly #listeners = new Set<Listener>()
  #reason: OutboundError | undefined

  /** Calls the listener when the end comes; at once where it has come. */
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
