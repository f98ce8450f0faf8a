/** Settings of every cluster, with as few processes as possible. */
export const commonSettings = [
  'max_connections=300',
  'timezone=UTC',
  'log_timezone=UTC',
  'io_method=sync',
  'max_logical_replication_workers=0',
]

/** One iteration of the password hash instead of 4,096, because a test run opens thousands of connections. */
export const fastPasswordHash = 'scram_iterations=1'

/**
 * Additional settings for temporary data, which need not survive a crash of the machine. It must survive a crash of the
 * server, because tests kill it, so commits stay synchronous; this costs nothing without fsync. Shared memory is in the
 * folder, so that a killed server leaves nothing behind.
 */
export const temporarySettings = [
  'dynamic_shared_memory_type=mmap',
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  fastPasswordHash,
]

/**
 * Returns the arguments of initdb for the locale. The built-in C.UTF-8 sorts the same on every system. The text search
 * parser uses the locale of the C library.
 */
export function localeArguments(platform: NodeJS.Platform): string[] {
  const libraryLocale = platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
  return [`--locale=${libraryLocale}`, '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8']
}

/** Arguments of initdb for temporary data. */
export const temporaryInitArguments = ['--no-sync', '--set', fastPasswordHash]
