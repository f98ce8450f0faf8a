import { csvFor } from '../../content/reader-text.ts'
import { dayNames } from '../result/words.ts'
import { reportName, reportTag } from './report-file.ts'
import type { ScenarioReport } from './scenario-report.ts'

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Returns a scenario with places as a file for spreadsheets. */
export const scenarioFile = (report: ScenarioReport, format: 'xlsx' | 'csv') => ({
  contentType: format === 'csv' ? 'text/csv' : xlsxType,
  filename: reportName(report, format),
  etag: `${reportTag(report)}.${format}`,
  open: async function* () {
    if (format === 'csv') yield Buffer.from(seatsCsv(report))
    else {
      // Loaded at its first use: most processes never write a workbook.
      const { writeScenarioWorkbook } = await import('./scenario-workbook.ts')
      yield await writeScenarioWorkbook(report)
    }
  },
})

function seatsCsv({ locale, result: { teams, floors } }: ScenarioReport): string {
  const csv = csvFor(locale)
  const nameOf = (id: string) => floors.find(({ space_id }) => space_id === id)?.name ?? id
  const rows = teams.flatMap(({ name, seats }) =>
    seats.map(({ weekday, space_id: id, places }) => [name, dayNames[weekday] ?? weekday, nameOf(id), places]),
  )
  return csv.mark + [['team', 'weekday', 'floor', 'places'], ...rows].map(csv.row).join('')
}
