/**
 * Whether keys fit a pattern: `*` stands for anything but `/`, `**` for anything, `?` for one character but `/`.
 *
 * All ways a key may fit are followed at once, so that no pattern takes longer than its length times the key's; as a
 * regular expression `*a*a*a*b` would take for ever.
 */
export function createGlobMatcher(pattern: string): (key: string) => boolean {
  const steps = (pattern.match(/\*+|[^*]/gsu) ?? []).map(toStep)
  return (key) => {
    let reached = new Set<number>()
    addReachable(reached, steps, 0)
    for (const character of key) {
      const next = new Set<number>()
      for (const place of reached) {
        const step = steps[place]
        if (step?.matches(character)) addReachable(next, steps, step.repeats ? place : place + 1)
      }
      reached = next
      if (reached.size === 0) return false
    }
    return reached.has(steps.length)
  }
}

interface Step {
  matches(character: string): boolean
  /** Any number of times, none included. */
  repeats: boolean
}

const isInFolder = (character: string) => character !== '/'

function toStep(token: string): Step {
  if (token === '*') return { matches: isInFolder, repeats: true }
  if (token.startsWith('*')) return { matches: () => true, repeats: true }
  if (token === '?') return { matches: isInFolder, repeats: false }
  return { matches: (character) => character === token, repeats: false }
}

/** Adds a place, and those behind it that can be reached by taking nothing. */
function addReachable(places: Set<number>, steps: readonly Step[], place: number): void {
  for (let at = place; !places.has(at); at++) {
    places.add(at)
    if (steps[at]?.repeats !== true) return
  }
}
