/** Does one thing after another while its user goes on; one may be under way, none waits. */
export interface OneAhead {
  /** Begins a work as soon as the one before is done. @throws what that one threw */
  begin(work: () => Promise<void>): Promise<void>
  /** Waits for what is under way. @throws what it throws */
  done(): Promise<void>
  /** Waits for what is under way, however it ends. */
  settled(): Promise<void>
}

export function oneAhead(): OneAhead {
  let underWay: Promise<void> = Promise.resolve()
  return {
    async begin(work) {
      await underWay
      underWay = work()
      // Heard when it is waited for; until then a failure waits.
      underWay.catch(() => undefined)
    },
    done: () => underWay,
    settled: () => underWay.catch(() => undefined),
  }
}
