/**
 * Passes on how far something has come, whole percents only and never two at once: hundreds of series say so thousands
 * of times, and what piles up would stand in the way of the lease's renewal. Waits for what is under way, then writes
 * the last that was heard.
 * @param write must not throw
 */
export function throttled(write: (fraction: number) => Promise<void>): (fraction: number) => void {
  let heard = 0
  let written = 0
  let isWriting = false

  async function writeOn(): Promise<void> {
    isWriting = true
    while (heard > written) {
      written = heard
      await write(written / 100)
    }
    isWriting = false
  }

  return (fraction) => {
    heard = Math.max(heard, Math.floor(fraction * 100))
    if (!isWriting) void writeOn()
  }
}
