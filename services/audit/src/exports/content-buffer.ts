/** Maximum size of a stored part. Bounds the memory of a download and of a pending write. */
export const maxPartBytes = 1024 ** 2

/** Collects text until it is stored. */
export interface ContentBuffer {
  /** Size of the collected text as UTF-8. */
  readonly bytes: number
  add(text: string): void
  /** Removes the collected text. @returns it as UTF-8 in parts of `maxPartBytes` at most */
  take(): Buffer[]
}

export function createContentBuffer(): ContentBuffer {
  let texts: string[] = []
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    add(text) {
      texts.push(text)
      bytes += Buffer.byteLength(text)
    },
    take() {
      const content = Buffer.from(texts.join(''))
      texts = []
      bytes = 0
      return Array.from({ length: Math.ceil(content.length / maxPartBytes) }, (_, index) =>
        content.subarray(index * maxPartBytes, (index + 1) * maxPartBytes),
      )
    },
  }
}
