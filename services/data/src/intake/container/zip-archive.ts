import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { malformed, messageOf, reportFaults } from '../problems.ts'
import type { SpooledFile } from './spool.ts'

/** The files of a zip archive. */
export interface ZipArchive {
  /** The files by their names, without folders. */
  entries: ReadonlyMap<string, Entry>
  /** Reads a file; its size cannot exceed that of its entry. @throws Problem `malformed_body` */
  read(entry: Entry): AsyncGenerator<Uint8Array>
}

const maxEntries = 10_000
/** Compressed data unfolds to at most a thousandth of its size; tables of text rarely to less than a fiftieth. */
const maxRatio = 250
const unlimitedBytes = 16_777_216
const damaged = 'The archive is damaged or incomplete'

/** Reads the directory of an archive. @throws Problem `malformed_body` */
export async function openZip(file: SpooledFile): Promise<ZipArchive> {
  return await reportFaults(damaged, async () => {
    const options = { lazyEntries: true, autoClose: false, strictFileNames: false, validateEntrySizes: true }
    const zip = await fromRandomAccessReaderPromise(new SpoolReader(file), file.size, options)
    const entries = await readEntries(zip)
    return { entries, read: (entry) => readEntry(zip, entry) }
  })
}

async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > maxEntries) throw malformed(`The archive has more than ${maxEntries} files`)
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    if (entries.has(entry.fileName)) throw malformed(`The archive has the file ${entry.fileName.slice(0, 100)} twice`)
    if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
  }
  return entries
}

async function* readEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted()) throw malformed(`The file ${entry.fileName} in the archive is encrypted`)
  if (entry.uncompressedSize > unlimitedBytes && entry.uncompressedSize > entry.compressedSize * maxRatio)
    throw malformed(`The file ${entry.fileName} unfolds to more than ${maxRatio} times its size`)
  const stream = await reportFaults(damaged, () => zip.openReadStreamPromise(entry))
  let checksum = 0
  try {
    for await (const chunk of stream) {
      const bytes: Buffer = chunk // a stream of yauzl yields only buffers
      checksum = crc32(bytes, checksum)
      yield bytes
    }
    // yauzl compares sizes only: a changed digit has the same.
    if (checksum !== entry.crc32) throw new Error('the checksum of its content is another one')
  } catch (error) {
    throw malformed(`The archive is damaged: ${messageOf(error)}`)
  } finally {
    stream.destroy()
  }
}

class SpoolReader extends RandomAccessReader {
  readonly #file: SpooledFile
  constructor(file: SpooledFile) {
    super()
    this.#file = file
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(readRange(this.#file, start, end), { objectMode: false })
  }
}

const pieceBytes = 262_144

async function* readRange(file: SpooledFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; at += pieceBytes) yield await file.read(at, Math.min(end, at + pieceBytes))
}
