import { type FileHandle, open } from 'node:fs/promises'

/** A file that is written in large pieces. */
export interface TextFile {
  add(text: string): void
  /** Writes what has gathered, if it is much. */
  drain(): Promise<void>
  close(): Promise<void>
}

const pieceLength = 1 << 20

export async function createTextFile(path: string): Promise<TextFile> {
  const handle: FileHandle = await open(path, 'w')
  let pieces: string[] = []
  let length = 0
  const write = async () => {
    const text = pieces.join('')
    pieces = []
    length = 0
    await handle.write(text)
  }
  return {
    add(text) {
      pieces.push(text)
      length += text.length
    },
    drain: async () => (length < pieceLength ? undefined : await write()),
    async close() {
      await write()
      await handle.close()
    },
  }
}

/** Formats a row of a CSV file (RFC 4180). */
export const csvRow = (values: readonly (string | number | boolean | null)[], delimiter = ','): string =>
  `${values.map((value) => quote(String(value ?? ''), delimiter)).join(delimiter)}\r\n`

const quote = (text: string, delimiter: string): string =>
  text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
