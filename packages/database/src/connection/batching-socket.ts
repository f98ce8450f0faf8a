import { Socket } from 'node:net'

/**
 * A socket that sends what is written to it in the same tick of the event loop as one packet. The client of PostgreSQL
 * corks and uncorks its socket for each statement, so statements that are sent together would take a system call each,
 * and wake the server as often. With TLS that is still so: its socket is one of its own.
 */
export class BatchingSocket extends Socket {
  #isCorked = false

  override cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    super.cork()
    process.nextTick(() => {
      this.#isCorked = false
      super.uncork()
    })
  }

  /** Does nothing: the socket is uncorked at the end of the tick. */
  override uncork(): void {}
}
