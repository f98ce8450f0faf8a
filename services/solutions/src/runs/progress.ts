/**
 * Returns a function that writes progress in whole percents, one write at a time: hundreds of series report progress
 * thousands of times, and queued writes would delay the renewal of the lease. After each write the latest value is
 * written.
 * @param write must not throw
 */
export function throttle(write: (fraction: number) => Promise<void>): (fraction: number) => void {
  let latest = 0
  let written = 0
  let isWriting = false

  async function writeLatest(): Promise<void> {
    isWriting = true
    while (latest > written) {
      written = latest
      await write(written / 100)
    }
    isWriting = false
  }

  return (fraction) => {
    latest = Math.max(latest, Math.floor(fraction * 100))
    if (!isWriting) void writeLatest()
  }
}
