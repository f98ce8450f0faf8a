/** Holds whoever passes while it is shut. */
export class Gate {
  #shut: PromiseWithResolvers<void> | undefined

  shut(): void {
    this.#shut ??= Promise.withResolvers()
  }

  open(): void {
    this.#shut?.resolve()
    this.#shut = undefined
  }

  async pass(): Promise<void> {
    await this.#shut?.promise
  }
}
