import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { Logger } from '@wp/service'
import type { EndedAttempt } from '../../delivery/attempt/next-state.ts'

/** Size at which the attempts that have been recorded are removed from the file. */
const minCompactBytes = 4 * 2 ** 20
const lengthBytes = 4

/** The ended attempts of a process in a file, which outlives the process, until the database has recorded them. */
export interface AttemptJournal {
  add(ended: EndedAttempt): void
  /** Forgets an attempt that is recorded. It may stay in the file for some time. */
  remove(ended: EndedAttempt): void
  /** Removes the file. */
  close(): void
}

/**
 * Creates the journal of a process. The operating system keeps what a killed process has written, so nothing is synced
 * to disk. Each entry is its length and the serialized attempt. A journal that cannot be written is no longer used: a
 * delivery whose result is lost is sent again.
 */
export function createAttemptJournal(folder: string, name: string, log: Logger): AttemptJournal {
  const path = join(folder, name)
  const unrecorded = new Map<EndedAttempt, Buffer>()
  let file: number | undefined
  let isBroken = false
  let size = 0
  let compactAt = minCompactBytes

  function open(): number {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    file = openSync(path, 'a', 0o600)
    return file
  }

  function append(target: number, entry: Buffer): void {
    if (writeSync(target, entry) < entry.length) throw new Error('the disk is full')
    size += entry.length
  }

  function compact(target: number): void {
    ftruncateSync(target)
    size = 0
    append(target, Buffer.concat([...unrecorded.values()]))
    compactAt = Math.max(minCompactBytes, 2 * size)
  }

  return {
    add(ended) {
      if (isBroken) return
      const entry = encode(ended)
      unrecorded.set(ended, entry)
      try {
        append(file ?? open(), entry)
        if (file !== undefined && size > compactAt) compact(file)
      } catch (error) {
        isBroken = true
        unrecorded.clear()
        log.warn({ event: 'attempt_journal.failed', err: error, path }, 'failed to write the journal of attempts')
      }
    },
    remove: (ended) => void unrecorded.delete(ended),
    close() {
      if (file !== undefined) closeSync(file)
      rmSync(path, { force: true })
    },
  }
}

function encode(ended: EndedAttempt): Buffer {
  const content = serialize(ended)
  const entry = Buffer.allocUnsafe(lengthBytes + content.length)
  entry.writeUInt32LE(content.length)
  entry.set(content, lengthBytes)
  return entry
}

/** Returns the names of the journals in a folder, which may not exist. */
export const findJournals = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/** Returns the attempts in a journal. The last one is missing if the process was killed as it wrote it. */
export function readJournal(folder: string, name: string): EndedAttempt[] {
  const bytes = readFileSync(join(folder, name))
  const entries: EndedAttempt[] = []
  for (let start = lengthBytes; start <= bytes.length; ) {
    const end = start + bytes.readUInt32LE(start - lengthBytes)
    if (end > bytes.length) break
    entries.push(deserialize(bytes.subarray(start, end)) as EndedAttempt) // the folder has only what `encode` wrote
    start = end + lengthBytes
  }
  return entries
}

export const removeJournal = (folder: string, name: string): void => rmSync(join(folder, name), { force: true })
