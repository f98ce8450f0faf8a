import { describe, expect, it } from '@jest/globals'
import type { DomainEvent } from '@wp/contracts'
import type { ProcessingResult } from '../src/consumer/event-processor.ts'
import type { EventMetadata, ReceivedEvent } from '../src/consumer/received-event.ts'
import { createTurns } from '../src/consumer/turns.ts'

const metadata: EventMetadata = { sequence: 0, redelivered: false, subject: null, streamCreatedAt: null }

const eventOf = (workspaceId: string, id: string): DomainEvent => ({
  id,
  kind: 'USER_REMOVED',
  workspace_id: workspaceId,
  occurred_at: '2026-01-05T09:30:00.000Z',
  actor: { id: 'usr_01h455vb4pex5vsknk084sn02q', type: 'user' },
  request_id: 'req-4f1c2a90',
  traceparent: null,
  data: { id: 'usr_01h455vb4pex5vsknk084sn02q', status: 'removed' },
})

/** Processes events of a given number of steps. `log` gets the id of each step's event. */
function stepsOf(steps: Record<string, number>, log: string[]) {
  const remaining = new Map(Object.entries(steps))
  return async ([received]: readonly ReceivedEvent[]): Promise<ProcessingResult[]> => {
    const id = received?.event.id ?? ''
    log.push(id)
    remaining.set(id, (remaining.get(id) ?? 1) - 1)
    return [remaining.get(id) === 0 ? 'processed' : 'more']
  }
}

describe('createTurns', () => {
  it('processes all steps of an event', async () => {
    const log: string[] = []
    const turns = createTurns(stepsOf({ a: 3 }, log), { maxConcurrent: 4, maxBatchSize: 1 })
    expect(await turns.process(eventOf('ws_1', 'a'), metadata)).toBe('processed')
    expect(log).toEqual(['a', 'a', 'a'])
  })

  it('processes a step of each workspace in turn', async () => {
    const log: string[] = []
    const turns = createTurns(stepsOf({ large: 4, second: 1, small: 1, other: 2 }, log), {
      maxConcurrent: 1,
      maxBatchSize: 1,
    })
    await Promise.all([
      turns.process(eventOf('ws_1', 'large'), metadata),
      turns.process(eventOf('ws_1', 'second'), metadata),
      turns.process(eventOf('ws_2', 'small'), metadata),
      turns.process(eventOf('ws_3', 'other'), metadata),
    ])
    expect(log.slice(0, 3)).toEqual(['large', 'small', 'other'])
    expect(log.filter((id) => id === 'large')).toHaveLength(4)
    expect(log).toHaveLength(8)
  })

  it('passes the error of a step on to its event only', async () => {
    const turns = createTurns(
      async ([received]) => {
        if (received?.event.id === 'bad') throw new Error('unavailable')
        return ['processed']
      },
      { maxConcurrent: 2, maxBatchSize: 1 },
    )
    const bad = turns.process(eventOf('ws_1', 'bad'), metadata)
    const good = turns.process(eventOf('ws_1', 'good'), metadata)
    await expect(bad).rejects.toThrow('unavailable')
    expect(await good).toBe('processed')
  })
})

describe('createTurns with shared steps', () => {
  const limits = { maxConcurrent: 1, maxBatchSize: 8, maxShared: 1 }

  /**
   * Processes events, all of which are finished unless `isFinished` says otherwise. `steps` gets the ids of each step.
   */
  function recordSteps(steps: string[][], isFinished: (ids: readonly string[]) => boolean = () => true) {
    return async (batch: readonly ReceivedEvent[]): Promise<ProcessingResult[]> => {
      const ids = batch.map(({ event }) => event.id)
      steps.push(ids)
      return ids.map(() => (isFinished(ids) ? 'processed' : 'more'))
    }
  }

  const processAll = ({ process }: ReturnType<typeof createTurns>, events: readonly (readonly [string, string])[]) =>
    Promise.all(events.map(([workspaceId, id]) => process(eventOf(workspaceId, id), metadata)))

  it('processes waiting events of several workspaces together, a quarter of a step of each at most', async () => {
    const steps: string[][] = []
    const turns = createTurns(recordSteps(steps), limits)
    const large = ['a1', 'a2', 'a3', 'a4', 'a5'].map((id) => ['ws_1', id] as const)
    await processAll(turns, [...large, ['ws_2', 'b1'], ['ws_2', 'b2'], ['ws_3', 'c1']])
    expect(steps).toEqual([
      ['a1', 'a2', 'b1', 'b2', 'c1'],
      ['a3', 'a4', 'a5'],
    ])
  })

  it('processes a workspace separately until none of its events is left unfinished', async () => {
    const steps: string[][] = []
    const turns = createTurns(
      recordSteps(steps, (ids) => ids.length === 1),
      limits,
    )
    await processAll(turns, [
      ['ws_1', 'a'],
      ['ws_2', 'b'],
    ])
    expect(steps).toEqual([['a', 'b'], ['a'], ['b']])
    await processAll(turns, [
      ['ws_1', 'c'],
      ['ws_2', 'd'],
    ])
    expect(steps.slice(3)).toEqual([['c', 'd'], ['c'], ['d']])
  })

  it('limits the shared steps in progress', async () => {
    const steps: string[][] = []
    const turns = createTurns(recordSteps(steps), { ...limits, maxConcurrent: 2 })
    const events = Array.from({ length: 10 }, (_, index) => [`ws_${index}`, `e${index}`] as const)
    await processAll(turns, events)
    // The first step has eight events; two wait for its end, although another step could begin.
    expect(steps.map((ids) => ids.length)).toEqual([8, 2])
  })
})
