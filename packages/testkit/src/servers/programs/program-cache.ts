import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Returns the folder of programs for tests that are fetched once and used by every checkout of this user:
 * `workspace-platform` in `$XDG_CACHE_HOME`. A program whose version or sources differ has another name there.
 */
export const programCache = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'workspace-platform')
