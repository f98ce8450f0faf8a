/** Watches the numbers of rows on the pages of a crawl. */
export interface PageSizes {
  add(rows: number): void
  /**
   * Returns the number of pages up to the last one with rows.
   * @param atLeast what an earlier crawl read: only a crawl that deletes what is missing shows that there are fewer
   */
  filledPages(atLeast?: number): number
  /**
   * Returns a sign that pages or rows are missing; undefined if there is none.
   * @param previousPages pages with rows of the last complete crawl
   */
  doubt(previousPages: number | undefined): string | undefined
}

export function createPageSizes(): PageSizes {
  const sizes: number[] = []
  const filledPages = (atLeast = 0) => Math.max(atLeast, sizes.findLastIndex((size) => size > 0) + 1)
  return {
    add: (rows) => void sizes.push(rows),
    filledPages,
    doubt(previousPages = 0) {
      const filled = filledPages()
      const largest = sizes.reduce((most, size) => Math.max(most, size), 0)
      // The last page may be short; a short one before it lost rows.
      const short = sizes.findIndex((size, page) => page < filled - 1 && 2 * size <= largest)
      if (short !== -1) return `page ${short + 1} has ${sizes[short]} rows, while others have ${largest}`
      // A feed that became shorter ends with a page that is not full.
      if (filled < previousPages && filled > 0 && sizes[filled - 1] === largest)
        return `the source ends with full page ${filled}, while the last sync read ${previousPages} pages`
      return undefined
    },
  }
}
