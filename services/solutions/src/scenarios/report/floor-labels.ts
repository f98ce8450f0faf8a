import { separator, shortNames } from '../result/words.ts'

/**
 * Returns names of floors for narrow columns: the last part of each name, or more of it, or with a number before it,
 * so that no two print alike.
 *
 * @param fit cuts a name to the narrowest column
 */
export function floorLabels(names: readonly string[], fit: (name: string) => string): string[] {
  const short = shortNames(names)
  const last = names.map((name) => name.split(separator).at(-1) ?? name)
  const distinct = [last, short].find((labels) => new Set(labels.map(fit)).size === labels.length)
  return distinct ?? short.map((label, at) => `${at + 1}. ${label}`)
}
