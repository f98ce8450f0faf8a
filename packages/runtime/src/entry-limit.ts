/**
 * Returns the options by which an `LRUCache` of `lru-cache` holds up to a number of entries. With its option `max` it
 * allocates for all of them at once: 45 ms and several megabytes for 200,000, although most caches stay nearly empty.
 */
export const entryLimit = (entries: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: entries,
  sizeCalculation: one,
})

const one = () => 1
