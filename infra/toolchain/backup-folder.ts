/** The ending of a folder whose backup is not complete. */
export const unfinishedSuffix = '.unfinished'

/** Returns the name of a backup that starts at this time, `2026-11-22T02-00-00Z`. The names sort by time. */
export function backupName(startedAt: Date): string {
  return `${startedAt.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

/** Returns the complete backups beyond the `keep` newest. Ignores folders that `backupName` did not name. */
export function findExpiredBackups(folders: readonly string[], keep: number): string[] {
  const complete = folders.filter((folder) => isBackupName(folder)).sort()
  return complete.slice(0, Math.max(0, complete.length - keep))
}

/** Returns the folders that an interrupted backup left behind. */
export function findUnfinishedBackups(folders: readonly string[]): string[] {
  return folders.filter(
    (folder) => folder.endsWith(unfinishedSuffix) && isBackupName(folder.slice(0, -unfinishedSuffix.length)),
  )
}

const isBackupName = (folder: string) => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/.test(folder)
