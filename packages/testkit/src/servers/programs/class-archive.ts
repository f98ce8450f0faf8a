import { existsSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { programCache } from './program-cache.ts'

/** The archive of the classes of a Java server, from which it starts with half of the processor time. */
export interface ClassArchive {
  options: string[]
  stopSignal: NodeJS.Signals
  /** Called after the end of the server. */
  save(): void
}

/**
 * Returns the archive of the cache. Without one, the server writes it when it ends, for which it needs SIGTERM and some
 * seconds. Java ignores an archive of another version.
 * @param home the folder of the server, whose name is unique
 */
export function classArchive(program: string, home: string): ClassArchive {
  const file = join(programCache(), `${program}.jsa`)
  if (existsSync(file)) return { options: [`-XX:SharedArchiveFile=${file}`], stopSignal: 'SIGKILL', save: () => {} }
  const written = `${file}.${basename(home)}`
  return {
    options: [`-XX:ArchiveClassesAtExit=${written}`],
    stopSignal: 'SIGTERM',
    save: () => {
      if (existsSync(written)) renameSync(written, file)
    },
  }
}
