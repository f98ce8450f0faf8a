import type { DomainEvent } from '@wp/contracts'
import type { WorkspaceEvent } from '../store/triggers/occasions.ts'

/** Events of one question to the database. */
const maxEvents = 200

const keyOf = ({ workspaceId, event }: WorkspaceEvent): string => `${event} ${workspaceId}`

/**
 * Returns a function that tells whether a trigger may start a run at an event. Events that arrive while the database is
 * asked are in the next question together. Nothing is remembered, so that a trigger counts from its commit on.
 */
export function createWantedEvents(find: (events: readonly WorkspaceEvent[]) => Promise<WorkspaceEvent[]>) {
  let waiting: { asked: WorkspaceEvent; resolve(isWanted: boolean): void; reject(error: unknown): void }[] = []
  let isAsking = false

  async function ask(): Promise<void> {
    isAsking = true
    // Events of the same event-loop turn are asked about together.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxEvents)
      waiting = waiting.slice(maxEvents)
      const asked = new Map(batch.map((each) => [keyOf(each.asked), each.asked]))
      try {
        const wanted = new Set((await find([...asked.values()])).map(keyOf))
        for (const each of batch) each.resolve(wanted.has(keyOf(each.asked)))
      } catch (error) {
        for (const each of batch) each.reject(error)
      }
    }
    isAsking = false
  }

  return ({ workspace_id: workspaceId, kind: event }: DomainEvent): Promise<boolean> =>
    new Promise((resolve, reject) => {
      waiting.push({ asked: { workspaceId, event }, resolve, reject })
      if (!isAsking) void ask()
    })
}
