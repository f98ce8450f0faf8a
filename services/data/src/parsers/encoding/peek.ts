/**
 * Returns the first `length` bytes of a stream, fewer if it is shorter, and the whole stream from its beginning.
 * `isWhole`: there are no others.
 */
export async function peek(
  chunks: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ head: Buffer; isWhole: boolean; chunks: AsyncGenerator<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]()
  const begun: Uint8Array[] = []
  let size = 0
  let isOver = false
  while (size < length && !isOver) {
    const next = await iterator.next()
    if (next.done === true) isOver = true
    else {
      begun.push(next.value)
      size += next.value.length
    }
  }
  async function* all() {
    try {
      yield* begun
      for (;;) {
        const next = isOver ? undefined : await iterator.next()
        if (next === undefined || next.done === true) {
          isOver = true
          return
        }
        yield next.value
      }
    } finally {
      if (!isOver) await iterator.return?.()
    }
  }
  const head = Buffer.concat(begun).subarray(0, length)
  return { head, isWhole: isOver && size <= length, chunks: all() }
}
