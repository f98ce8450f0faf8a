import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@wp/client'
import { type CompanyOptions, type CompanyTruth, companyFiles, writeCompany } from '@wp/testkit/company'
import { findSampleSource, firstDayKey } from './sample-ids.ts'

/** The files of a made company, and the truth about it. */
export interface SampleCompany {
  folder: string
  truth: CompanyTruth
  /** The rows of each file. */
  rows: Awaited<ReturnType<typeof writeCompany>>
}

const days = 182

/**
 * The size of the sample: half a year that ends yesterday, so that today has a plan and forecasts have their history.
 * A sample that is loaded keeps the days it was made for.
 */
export async function chooseSampleSize(client: Client, now: number): Promise<Required<Omit<CompanyOptions, 'seed'>>> {
  const loaded = (await findSampleSource(client, 'spaces'))?.metadata[firstDayKey]
  const firstDay = loaded ?? new Date(now - days * 86_400_000).toISOString().slice(0, 10)
  return { people: 900, floors: 12, days, firstDay }
}

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
