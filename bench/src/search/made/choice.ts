/** Returns uniform numbers from 0 to 1. */
export type Random = () => number

/** Returns a member of a list. @throws Error if the list is empty */
export function pick<T>(random: Random, list: readonly T[]): T {
  const index = Math.floor(random() * list.length)
  if (index >= list.length) throw new Error('nothing to pick from')
  return list[index] as T // the index is within the list
}

/** Returns true with a probability. */
export const chance = (random: Random, probability: number): boolean => random() < probability

/** Returns a whole number from `min` to `max`, both included. */
export const integer = (random: Random, min: number, max: number): number =>
  min + Math.floor(random() * (max - min + 1))

/** Returns a shuffled copy. */
export function shuffle<T>(random: Random, list: readonly T[]): T[] {
  return list
    .map((member) => ({ member, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ member }) => member)
}

/** Returns up to `count` different members of a list. */
export const sample = <T>(random: Random, list: readonly T[], count: number): T[] =>
  shuffle(random, list).slice(0, count)
