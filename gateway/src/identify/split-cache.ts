import { LRUCache } from 'lru-cache'

/** Refusals kept at most. They are kept apart: whoever makes credentials up must not push out those that are good. */
const maxRejected = 10_000

/** Keeps what is good and what is not in rooms of their own; a name is in one of them at most. */
export function createSplitCache<Entry extends object>(entries: number) {
  const valid = new LRUCache<string, Entry>({ max: entries })
  const rejected = new LRUCache<string, Entry>({ max: Math.min(entries, maxRejected) })
  return {
    get: (name: string) => valid.get(name) ?? rejected.get(name),
    set(name: string, isGood: boolean, entry: Entry) {
      const [room, other] = isGood ? [valid, rejected] : [rejected, valid]
      other.delete(name)
      room.set(name, entry)
    },
    size: () => valid.size,
  }
}
