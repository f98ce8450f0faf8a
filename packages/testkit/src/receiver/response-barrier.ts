/** A barrier at which callers wait while it is closed. */
export class ResponseBarrier {
  #shut: PromiseWithResolvers<void> | undefined

  close(): void {
    this.#shut ??= Promise.withResolvers()
  }

  open(): void {
    this.#shut?.resolve()
    this.#shut = undefined
  }

  async wait(): Promise<void> {
    await this.#shut?.promise
  }
}
