import { expect, test } from '@jest/globals'
import { readServerSentEvents } from '../../../web/src/api/server-sent-events.ts'

const bodyOf = (...pieces: (string | Uint8Array)[]) => {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
      controller.close()
    },
  })
}

test('events are read whatever the pieces in which they arrive', async () => {
  const bytes = new TextEncoder().encode(
    ': keep-alive\n\nid: 1\ndata: {"a":"ü€"}\n\nid:2\r\ndata:x\r\ndata: y\r\n\r\ndata: [DONE]\n\n',
  )
  const expected = [
    { id: '1', data: '{"a":"ü€"}' },
    { id: '2', data: 'x\ny' },
    { id: undefined, data: '[DONE]' },
  ]
  for (let size = 1; size <= bytes.length; size++) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    )
    expect(await Array.fromAsync(readServerSentEvents(bodyOf(...pieces)))).toEqual(expected)
  }
})

test('an event without its final empty line is not reported', async () => {
  expect(await Array.fromAsync(readServerSentEvents(bodyOf('id: 1\ndata: a\n\nid: 2\ndata: b\n')))).toEqual([
    { id: '1', data: 'a' },
  ])
})
