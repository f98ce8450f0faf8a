import { LRUCache } from 'lru-cache'

/** Refusals kept at most. They are kept apart: whoever makes credentials up must not push out those that are good. */
const mostRefusals = 10_000

/** Keeps what is good and what is not in rooms of their own; a name is in one of them at most. */
export function createApart<Entry extends object>(entries: number) {
  const good = new LRUCache<string, Entry>({ max: entries })
  const bad = new LRUCache<string, Entry>({ max: Math.min(entries, mostRefusals) })
  return {
    get: (name: string) => good.get(name) ?? bad.get(name),
    keep(name: string, isGood: boolean, entry: Entry) {
      const [room, other] = isGood ? [good, bad] : [bad, good]
      other.delete(name)
      room.set(name, entry)
    },
    size: () => good.size,
  }
}
