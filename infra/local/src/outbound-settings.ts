import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { loadOrCreateAuthority } from '@wp/testkit'
import { type DataDir, writePrivateFile } from './data-dir/data-dir.ts'
import { UsageError } from './usage-error.ts'

const loopback = ['127.0.0.0/8', '::1/128']

/**
 * Settings with which services call webhook endpoints and data sources on this machine: loopback addresses are allowed,
 * and certificates of the local authority are trusted. OUTBOUND_ALLOW_CIDRS and OUTBOUND_CA_FILE add to both.
 * @param workingFolder the folder that a relative OUTBOUND_CA_FILE is relative to
 * @throws UsageError if OUTBOUND_CA_FILE cannot be read
 */
export function outboundSettings(
  folder: DataDir,
  { OUTBOUND_ALLOW_CIDRS: allowed, OUTBOUND_CA_FILE: caFile }: Readonly<Record<string, string>>,
  workingFolder: string,
): Record<string, string> {
  const authority = loadOrCreateAuthority(folder.root)
  return {
    OUTBOUND_ALLOW_CIDRS: [...loopback, ...(allowed ? [allowed] : [])].join(','),
    OUTBOUND_CA_FILE: caFile
      ? writeBundle(folder, authority.certificate, resolve(workingFolder, caFile))
      : authority.file,
  }
}

/** Writes both certificates to one file, because a process reads one. Returns its path. */
function writeBundle(folder: DataDir, certificate: string, caFile: string): string {
  const bundle = join(folder.root, 'outbound-ca.pem')
  writePrivateFile(bundle, `${certificate}${readCertificate(caFile)}`)
  return bundle
}

function readCertificate(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UsageError(`OUTBOUND_CA_FILE: ${file} cannot be read`, { cause })
  }
}
