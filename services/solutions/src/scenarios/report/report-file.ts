import { createHash } from 'node:crypto'
import { fileName } from '../../content/file-name.ts'
import type { ScenarioReport } from './scenario-report.ts'

/** Returns the report of a scenario as PDF. */
export const reportFile = (report: ScenarioReport, nameFontFile: string | undefined) => ({
  contentType: 'application/pdf',
  filename: reportName(report, 'pdf'),
  etag: reportTag(report),
  open: async function* () {
    // Loaded at its first use: most processes never write a PDF.
    const { renderReport } = await import('./render-report.ts')
    yield* renderReport(report, { nameFontFile })
  },
})

/** Returns the name of a file of the scenario: `Close floor 4 on Fridays – 2026-11-28.pdf`. */
export const reportName = ({ asked, finishedAt, timezone }: ScenarioReport, extension: string): string =>
  // The Swedish way to write a date is that of ISO 8601.
  fileName(asked.name, new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(finishedAt), extension)

/** Returns an entity tag of a report: names of spaces and teams may have changed since the scenario was finished. */
export const reportTag = (report: ScenarioReport): string =>
  createHash('sha256')
    .update(JSON.stringify({ ...report, names: [...report.names], currencies: [...report.currencies] }))
    .digest('hex')
