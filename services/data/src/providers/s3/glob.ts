/**
 * Creates a matcher of keys: `*` matches anything but `/`, `**` anything, `?` one character other than `/`.
 *
 * Tracks all possible positions in the pattern at once (Thompson simulation), so the time is bounded by pattern length
 * times key length; as a regular expression `*a*a*a*b` would take exponential time.
 */
export function createGlobMatcher(pattern: string): (key: string) => boolean {
  const steps = (pattern.match(/\*+|[^*]/gsu) ?? []).map(toStep)
  return (key) => {
    let positions = new Set<number>()
    addReachable(positions, steps, 0)
    for (const character of key) {
      const next = new Set<number>()
      for (const position of positions) {
        const step = steps[position]
        if (step?.matches(character)) addReachable(next, steps, step.repeats ? position : position + 1)
      }
      positions = next
      if (positions.size === 0) return false
    }
    return positions.has(steps.length)
  }
}

interface Step {
  matches(character: string): boolean
  /** Matches any number of characters, including none. */
  repeats: boolean
}

const isNotSlash = (character: string) => character !== '/'

function toStep(token: string): Step {
  if (token === '*') return { matches: isNotSlash, repeats: true }
  if (token.startsWith('*')) return { matches: () => true, repeats: true }
  if (token === '?') return { matches: isNotSlash, repeats: false }
  return { matches: (character) => character === token, repeats: false }
}

/** Adds a position and those that follow it without consuming a character. */
function addReachable(positions: Set<number>, steps: readonly Step[], position: number): void {
  for (let at = position; !positions.has(at); at++) {
    positions.add(at)
    if (steps[at]?.repeats !== true) return
  }
}
