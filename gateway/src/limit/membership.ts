import { clockCorrection, hashOf } from './clock.ts'

/** The edges that live, as one of them knows, and the clock they keep in common. */
export interface MembershipTracker {
  readonly self: string
  /** Everybody's id, the own included, sorted. */
  all(): readonly string[]
  /** All of them in one number, to compare with what another edge knows. */
  readonly membershipHash: number
  /** Whether there is anybody else. */
  readonly hasPeers: boolean
  /** Milliseconds, the same at every edge but for some. */
  clock(): number
  /** When this edge last came or came back. Windows that began before know it only from then on. */
  readonly joinedAt: number
  /** Whoever is heard lives. @param sentAt its own clock when it spoke; @returns whether it was not known */
  recordPeer(edge: string, sentAt: number): boolean
  /** @returns whether it was known */
  removePeer(edge: string): boolean
  /**
   * The broker has brought back what this edge said: so it would have brought what others say. Those of whom nothing came
   * several times over are forgotten. With the broker away nobody is.
   * @returns whether somebody was
   */
  recordEcho(): boolean
  /** This edge comes, or comes back after the broker was away. */
  rejoin(): void
}

/** So many of the own beats come back without one of the other's before it is taken for dead. */
const maxMissedBeats = 4

/** Of so many of its messages the one that took the shortest way tells how far another's clock is ahead. */
const maxClockSamples = 8

interface Member {
  aheadMs: number[]
  missedBeats: number
}

/** @param now milliseconds since 1970 */
export function createMembershipTracker(self: string, now: () => number): MembershipTracker {
  const others = new Map<string, Member>()
  let all: readonly string[] = [self]
  let between = hashOf(self)
  let correction = 0
  let arrivedAt = now()

  function recompute(): void {
    all = [self, ...others.keys()].sort()
    between = hashOf(all.join())
    correction = clockCorrection([...others.values()].map(({ aheadMs }) => Math.max(...aheadMs)))
  }

  function forget(edges: readonly string[]): boolean {
    for (const edge of edges) others.delete(edge)
    if (edges.length > 0) recompute()
    return edges.length > 0
  }

  return {
    self,
    all: () => all,
    get membershipHash() {
      return between
    },
    get hasPeers() {
      return all.length > 1
    },
    clock: () => now() + correction,
    get joinedAt() {
      return arrivedAt + correction
    },
    recordPeer(edge, sentAt) {
      const known = others.get(edge)
      const aheadMs = [sentAt - now(), ...(known?.aheadMs ?? [])].slice(0, maxClockSamples)
      others.set(edge, { aheadMs, missedBeats: 0 })
      recompute()
      return known === undefined
    },
    removePeer: (edge) => others.has(edge) && forget([edge]),
    recordEcho() {
      for (const member of others.values()) member.missedBeats += 1
      return forget(
        [...others].filter(([, { missedBeats: silentFor }]) => silentFor >= maxMissedBeats).map(([edge]) => edge),
      )
    },
    rejoin() {
      arrivedAt = now()
    },
  }
}
