/** Length of a window. */
export const windowSeconds = 60
const windowMs = windowSeconds * 1000

/** Returns the FNV-1a hash of a key, its upper 31 bits: a small integer to V8. */
export function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  return hash >>> 1
}

/**
 * Returns the number of the window that contains a time. Windows are minutes of the common clock, offset by the hash of
 * the key so that the windows of different keys end at different times.
 *
 * @param timeMs milliseconds of the common clock
 */
export const windowAt = (hash: number, timeMs: number): number => Math.floor((timeMs - (hash % windowMs)) / windowMs)

/** Returns when a window starts, in milliseconds of the common clock. The window before it ends at that time. */
export const windowStart = (hash: number, window: number): number => window * windowMs + (hash % windowMs)
