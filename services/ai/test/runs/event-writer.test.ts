import { describe, expect, it } from '@jest/globals'
import { BrokerUnavailable } from '@wp/events'
import { LeaseLost } from '@wp/jobs'
import type { NewEvents } from '../../src/store/runs/run-events.ts'
import type { EventBatch } from '../../src/streams/chunk.ts'
import { EventWriter } from '../../src/streams/event-writer.ts'
import { LiveBuffer } from '../../src/streams/live-events.ts'

const delta = (text: string, id = 'text-1') => ({ type: 'text-delta' as const, id, delta: text })

function createWriter(write: (events: NewEvents) => Promise<boolean> = async () => true) {
  const written: NewEvents[] = []
  const published: EventBatch[] = []
  const writer = new EventWriter({
    lastSeq: 1,
    signal: new AbortController().signal,
    publish: (batch) => void published.push(batch),
    async write(events) {
      const isWritten = await write(events)
      if (isWritten) written.push(events)
      return isWritten
    },
  })
  return { writer, written, published }
}

describe('EventWriter', () => {
  it('writes what is pushed during a write as one batch, with consecutive deltas as one event', async () => {
    const gate = Promise.withResolvers<void>()
    const { writer, written, published } = createWriter(async () => {
      await gate.promise
      return true
    })
    writer.push({ type: 'start-step' })
    await Promise.resolve()
    await Promise.resolve()
    for (const word of ['one ', 'two ', 'three']) writer.push(delta(word), word.length)
    writer.push({ type: 'text-end', id: 'text-1' })
    gate.resolve()
    await writer.flush()
    expect(written.map(({ lastSeq, count, outputLength }) => [lastSeq, count, outputLength])).toEqual([
      [1, 1, 0],
      [2, 2, 13],
    ])
    expect(published).toEqual([
      { firstSeq: 2, chunks: [{ type: 'start-step' }] },
      { firstSeq: 3, chunks: [delta('one two three'), { type: 'text-end', id: 'text-1' }] },
    ])
    expect(writer.lastSeq).toBe(4)
  })

  it('writes again after a failure of the database, and stops when the attempt may no longer write', async () => {
    let failures = 2
    const { writer, written } = createWriter(async () => {
      failures -= 1
      if (failures >= 0) throw new BrokerUnavailable()
      return failures > -3
    })
    writer.push(delta('a'))
    await writer.flush()
    expect(written).toHaveLength(1)
    writer.push(delta('b'))
    await writer.flush()
    writer.push(delta('c'))
    await expect(writer.flush()).rejects.toThrow(LeaseLost)
    await expect(writer.drain()).rejects.toThrow(LeaseLost)
  })

  it('removes what PostgreSQL cannot store', async () => {
    const { writer, written } = createWriter()
    writer.push(delta('a\0b\ud800'))
    await writer.flush()
    expect(written[0]?.json).toBe(JSON.stringify([delta('ab\ufffd')]))
  })
})

describe('LiveBuffer', () => {
  const batch = (firstSeq: number, ...texts: string[]): EventBatch => ({
    firstSeq,
    chunks: texts.map((text) => delta(text)),
  })

  it('continues a position exactly', () => {
    const buffer = new LiveBuffer()
    buffer.add(batch(3, 'c', 'd'))
    buffer.add(batch(5, 'e'))
    expect(buffer.take(3)).toEqual([delta('d'), delta('e')])
    expect(buffer.take(5)).toEqual([])
  })

  it('reports missing events, and drops what a slow reader has not read', () => {
    const buffer = new LiveBuffer()
    buffer.add(batch(7, 'g'))
    expect(buffer.take(5)).toBeUndefined()
    for (let seq = 8; seq < 18; seq += 1) buffer.add(batch(seq, 'x'.repeat(50_000)))
    expect(buffer.take(7)).toBeUndefined()
  })
})
