/** Returns the grades of the documents that a rule grades above 0, by id. */
export function judge<Item extends { id: string }>(
  items: readonly Item[],
  grade: (item: Item) => number,
): Map<string, number> {
  const relevant = new Map<string, number>()
  for (const item of items) {
    const value = grade(item)
    if (value > 0) relevant.set(item.id, value)
  }
  return relevant
}
