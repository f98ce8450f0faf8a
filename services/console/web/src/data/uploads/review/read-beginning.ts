/** The largest part of a file that a preview reads; the limit of the platform. */
export const maxPreviewBytes = 33_554_432
/** The part of a larger file that is read: what it tells is known by then, and the person waits for it. */
export const beginningBytes = 8_388_608
/** The part of a file that tells its columns. */
export const headerBytes = 65_536

/** Thrown if the device no longer gives access to a file, because it was moved, changed or removed. */
export class FileUnreadable extends Error {
  override readonly name = 'FileUnreadable'
}

/** Reads the first bytes of a file. @throws FileUnreadable */
export async function readBeginning(file: File, bytes: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(0, bytes).arrayBuffer())
  } catch (cause) {
    throw new FileUnreadable(file.name, { cause })
  }
}

/** Beginnings of files that can only be read as a whole: zip and therefore XLSX, gzip, Parquet. */
const wholeOnly = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x1f, 0x8b],
  [0x50, 0x41, 0x52, 0x31],
]

/** Returns true for a file whose beginning cannot be read by itself. */
export const isWholeOnly = (content: Uint8Array): boolean =>
  wholeOnly.some((signature) => signature.every((byte, index) => content[index] === byte))
