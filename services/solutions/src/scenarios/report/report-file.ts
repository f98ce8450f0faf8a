import { createHash } from 'node:crypto'
import type { ScenarioReport } from './scenario-report.ts'

/** Returns the report of a scenario as PDF. */
export const reportFile = (report: ScenarioReport, nameFontFile: string | undefined) => ({
  contentType: 'application/pdf',
  filename: 'scenario.pdf',
  // Names of spaces and teams may have changed since the scenario was finished.
  etag: createHash('sha256')
    .update(JSON.stringify({ ...report, names: [...report.names], currencies: [...report.currencies] }))
    .digest('hex'),
  open: async function* () {
    // Loaded at its first use: most processes never write a PDF.
    const { renderReport } = await import('./render-report.ts')
    yield* renderReport(report, { nameFontFile })
  },
})
