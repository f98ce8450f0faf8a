import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@wp/service'
import type { EndedAttempt } from '../../delivery/next-state.ts'

/** Size at which the attempts that have been recorded are removed from the file. */
const minCompactBytes = 4 * 2 ** 20

/** The ended attempts of a process in a file, which outlives the process, until the database has recorded them. */
interface AttemptJournal {
  add(ended: EndedAttempt): void
  /** Forgets an attempt that is recorded. It may stay in the file for some time. */
  remove(ended: EndedAttempt): void
  /** Removes the file. */
  close(): void
}

/**
 * Creates the journal of a process. The operating system keeps what a killed process has written, so nothing is synced
 * to disk. Each line is an attempt in JSON. A journal that cannot be written is no longer used: a delivery whose result
 * is lost is sent again.
 */
export function createAttemptJournal(folder: string, name: string, log: Logger): AttemptJournal {
  const path = join(folder, name)
  const unrecorded = new Map<EndedAttempt, string>()
  let file: number | undefined
  let isBroken = false
  let size = 0
  let compactAt = minCompactBytes

  function open(): number {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    file = openSync(path, 'a', 0o600)
    return file
  }

  function append(target: number, lines: string): void {
    size += writeSync(target, lines)
  }

  function compact(target: number): void {
    ftruncateSync(target)
    size = 0
    append(target, [...unrecorded.values()].join(''))
    compactAt = Math.max(minCompactBytes, 2 * size)
  }

  return {
    add(ended) {
      if (isBroken) return
      const line = `${JSON.stringify(ended)}\n`
      unrecorded.set(ended, line)
      try {
        append(file ?? open(), line)
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

/** Returns the ids of the workers with a journal in a folder, which may not exist. */
export const findJournals = async (folder: string): Promise<number[]> =>
  (await readdir(folder).catch(() => [])).map(Number).filter(Number.isInteger)

/** Returns the attempts in a journal. The last line is incomplete if the process was killed as it wrote it. */
export function readJournal(folder: string, name: string): EndedAttempt[] {
  const lines = readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => {
    const ended = JSON.parse(line) as EndedAttempt // the folder has only what `add` wrote, with times as text
    const { startedAt, finishedAt } = ended.attempt
    const times = { startedAt: new Date(startedAt), finishedAt: new Date(finishedAt) }
    return { ...ended, attempt: { ...ended.attempt, ...times } }
  })
}

export const removeJournal = (folder: string, name: string): void => rmSync(join(folder, name), { force: true })
