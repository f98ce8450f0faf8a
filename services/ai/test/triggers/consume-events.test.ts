import { describe, expect, it } from '@jest/globals'
import type { DomainEvent } from '@wp/contracts'
import type { WorkspaceEvent } from '../../src/store/triggers/occasions.ts'
import { createWantedEvents } from '../../src/triggers/consume-events.ts'

// Only these members are read.
const event = (workspace_id: string, kind: string) => ({ workspace_id, kind }) as DomainEvent

describe('the events that triggers want', () => {
  it('are asked about together, each kind of a workspace once', async () => {
    const questions: (readonly WorkspaceEvent[])[] = []
    const isWanted = createWantedEvents(async (events) => {
      questions.push(events)
      return events.filter(({ workspaceId, event: kind }) => workspaceId === 'ws_1' && kind === 'DATA_SYNC_FAILED')
    })
    const asked = [
      event('ws_1', 'DATA_SYNC_FAILED'),
      event('ws_1', 'DATA_SYNC_FINISHED'),
      event('ws_2', 'DATA_SYNC_FAILED'),
      event('ws_1', 'DATA_SYNC_FAILED'),
    ]
    expect(await Promise.all(asked.map(isWanted))).toEqual([true, false, false, true])
    expect(questions).toHaveLength(1)
    expect(questions[0]).toHaveLength(3)
  })

  it('are asked about again later, and an error of the database is that of each', async () => {
    let isFailing = true
    const isWanted = createWantedEvents(async (events) => {
      if (isFailing) throw new Error('no database')
      return [...events]
    })
    const failed = await Promise.allSettled([isWanted(event('ws_1', 'A')), isWanted(event('ws_2', 'A'))])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isFailing = false
    expect(await isWanted(event('ws_1', 'A'))).toBe(true)
  })
})
