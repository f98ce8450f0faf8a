/** What differs between the servers that are started. */
export interface NatsConfiguration {
  /** Address and port. */
  listen: string
  storeDir: string
  maxStoreBytes?: number | undefined
}

/**
 * Returns the configuration of a test server. The storage limit is larger than the disk, because it limits what streams
 * reserve (1 GiB each) and not what they contain, and many test shards reserve concurrently. Without a limit the server
 * accepts three quarters of the free space of the disk.
 */
export function renderNatsConfiguration({ listen, storeDir, maxStoreBytes = 1024 ** 4 }: NatsConfiguration): string {
  return [
    `listen: "${listen}"`,
    'max_payload: 1MB',
    `jetstream { store_dir: "${storeDir}", max_memory_store: ${256 * 1024 ** 2}, max_file_store: ${maxStoreBytes} }`,
    '',
  ].join('\n')
}
