import { describe, expect, it } from '@jest/globals'
import { type EventRecord, readServerSentEvents } from '../../src/transport/server-sent-events.ts'

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function read(text: string, size = 1000): Promise<Partial<EventRecord>[]> {
  const records: Partial<EventRecord>[] = []
  for await (const { id, event, data, retryMs } of readServerSentEvents(inChunks(text, size)))
    records.push({ event, data, ...(id !== undefined && { id }), ...(retryMs !== undefined && { retryMs }) })
  return records
}

describe('a stream of events', () => {
  it.each([1, 2, 3, 7, 1000])('is read in chunks of %i bytes, whatever ends its lines', async (size) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const lines = ['id: 1', 'event: note', 'data: é', 'data:ü', '', ': keep-alive', '', 'data: 2', '', '']
      expect(await read(lines.join(end), size)).toEqual([
        { id: '1', event: 'note', data: 'é\nü' },
        { event: 'message', data: '2' },
      ])
    }
  })

  it('may begin with a byte order mark, and leaves out an event that is cut off', async () => {
    expect(await read('\uFEFFdata: 1\n\nid: 2\ndata: 2\n')).toEqual([{ event: 'message', data: '1' }])
  })

  it('has reconnection times, without and with data', async () => {
    expect(await read('retry: 1000\n\nretry: 5\ndata: 1\n\nretry: soon\n\n')).toEqual([
      { event: 'message', data: '', retryMs: 1000 },
      { event: 'message', data: '1', retryMs: 5 },
    ])
  })

  it('ignores an id with NUL and unknown fields', async () => {
    expect(await read('id: a\0b\nother: x\ndata\ndata: 1\n\n')).toEqual([{ event: 'message', data: '\n1' }])
  })
})
