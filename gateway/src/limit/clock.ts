export const windowSeconds = 60
const windowMs = windowSeconds * 1000

/** FNV-1a, its upper 31 bits. */
export function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash >>> 1
}

/** The number of the window of a key at a time: minutes of the clock, moved by the key, so that not all end together. */
export const windowAt = (hash: number, clock: number): number => Math.floor((clock - (hash % windowMs)) / windowMs)

/** When the window with a number begins, in milliseconds of the common clock; the one before it ends then. */
export const windowStart = (hash: number, window: number): number => window * windowMs + (hash % windowMs)

/**
 * What to add to the own clock to have the one that several keep in common: the middle of theirs. Each computes it from
 * how far the others' clocks are ahead of its own, and all come to the same moment; a clock that is half a minute off
 * moves it by nothing where there are three, and where there are two both meet half-way.
 */
export function clockCorrection(aheadMs: readonly number[]): number {
  const sorted = [0, ...aheadMs].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}
