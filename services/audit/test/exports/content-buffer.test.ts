import { expect, it } from '@jest/globals'
import { createContentBuffer, maxPartBytes } from '../../src/exports/content-buffer.ts'

it('divides what it collected into parts of the maximum size, and is empty afterwards', () => {
  const buffer = createContentBuffer()
  const text = 'ü😀'.repeat(200_000)
  buffer.add(text)
  buffer.add('end')
  expect(buffer.bytes).toBe(Buffer.byteLength(text) + 3)
  const parts = buffer.take()
  expect(parts.map(({ length }) => length)).toEqual([maxPartBytes, Buffer.byteLength(text) + 3 - maxPartBytes])
  expect(Buffer.concat(parts).toString()).toBe(`${text}end`)
  expect([buffer.bytes, buffer.take()]).toEqual([0, []])
})
