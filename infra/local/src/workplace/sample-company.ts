import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CompanyOptions, type CompanyTruth, companyFiles, writeCompany } from '@wp/testkit/company'

/** The files of a made company, and the truth about it. */
export interface SampleCompany {
  folder: string
  truth: CompanyTruth
  /** The rows of each file. */
  rows: Awaited<ReturnType<typeof writeCompany>>
}

/** Twelve weeks of summer: long enough for figures of weekdays and for the reader that breaks in August. */
export const sampleSize: CompanyOptions = { people: 900, floors: 12, days: 84, firstDay: '2025-06-02' }

/** Writes a made company into a temporary folder, which `cleanup` removes. */
export async function writeSampleCompany(
  size: CompanyOptions,
  cleanup: Pick<AsyncDisposableStack, 'defer'>,
): Promise<SampleCompany> {
  const folder = await mkdtemp(join(tmpdir(), 'wp-company-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const rows = await writeCompany(folder, size)
  const truth: CompanyTruth = JSON.parse(await readFile(join(folder, companyFiles.expected), 'utf8')) // just written
  return { folder, truth, rows }
}
