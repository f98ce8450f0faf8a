import { inflateRawSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { scenarioFile } from '../../src/scenarios/report/scenario-file.ts'
import type { ScenarioReport } from '../../src/scenarios/report/scenario-report.ts'
import type { AskedScenario, ScenarioResult } from '../../src/scenarios/scenario-job.ts'

const asked = {
  name: 'Fridays',
  forecast_run_id: 'fr_1',
  space_id: null,
  objective: 'lowest_cost',
  service_level: 0.95,
  time_limit_seconds: 30,
  changes: { close_spaces: [], headcount: [{ percent: 10 }], attendance: [], capacity: [], cost: [] },
} satisfies AskedScenario

const floor = (at: number, open: ('thu' | 'fri')[]) => ({
  space_id: `spc_${at}`,
  name: `Floor ${at}`,
  capacity: 50,
  open,
  kept_open_by: null,
  utilization_before: { thu: 0.5, fri: 0.2 },
  utilization_after: { thu: 0.6, fri: 0.4 },
})

const line = (at: number, closed: number, amount: number, rent: number) => ({
  space_id: `spc_${at}`,
  name: `Floor ${at}`,
  annual_cost: 48_000_000,
  avoidable_share: 0.35,
  closed_days: closed,
  amount,
  rent,
  arithmetic: '',
})

const result: ScenarioResult = {
  is_feasible: true,
  conclusion: '=Floor 2 can close',
  conflict: [],
  gap: 0,
  weekdays: ['thu', 'fri'],
  floors: [floor(1, ['thu']), floor(2, [])],
  teams: [
    {
      team_id: 'team_1',
      space_id: null,
      name: '+Sales',
      needs: { thu: 20, fri: 0 },
      moved_people: 0,
      seats: [{ weekday: 'thu', space_id: 'spc_1', places: 20 }],
    },
  ],
  free: [{ space_id: 'spc_2', name: 'Floor 2', weekdays: ['thu', 'fri'] }],
  moved_people: 0,
  // 480,000.00 × 0.35 × 1/2 and × 2/2.
  saving: {
    amount: 25_200_000,
    currency: 'EUR',
    rent: 31_200_000,
    lines: [line(1, 1, 8_400_000, 0), line(2, 2, 16_800_000, 31_200_000)],
  },
  next_point: { service_level: 0.96, saving: 25_000_000, cost: 200_000 },
  risk: { overflow_days: 0.02, by_weekday: {}, people_without_place: 0.1, people_on_other_floor: 0, people: null },
  before: null,
  demand_changed: null,
  allocation_changed: null,
  warnings: [],
}

const report: ScenarioReport = {
  id: 'scn_1',
  productName: 'Workspace platform',
  locale: undefined,
  asked,
  result,
  finishedAt: new Date('2026-11-27T23:30:00Z'),
  timezone: 'Europe/Berlin',
  names: new Map(),
  currencies: new Map(),
  forecast: { historyUntil: '2026-11-22', days: 42 },
}

async function contentOf(format: 'xlsx' | 'csv'): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of scenarioFile(report, format).open()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Returns the text of the files of a ZIP archive by name. */
function unzip(archive: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  // The central directory (APPNOTE.TXT, section 4.3.12) is found from the record at the end of the archive.
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06'))
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size, nameLength] = [
      archive.readUInt16LE(at + 10),
      archive.readUInt32LE(at + 20),
      archive.readUInt16LE(at + 28),
    ]
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const data = archive.subarray(start, start + size)
    files.set(
      archive.toString('utf8', at + 46, at + 46 + nameLength),
      (method === 0 ? data : inflateRawSync(data)).toString(),
    )
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return files
}

describe('scenarioFile', () => {
  it('has who sits where as CSV, without formulas', async () => {
    expect((await contentOf('csv')).toString()).toBe("team,weekday,floor,places\r\n'+Sales,Thursday,Floor 1,20\r\n")
  })

  it.each([
    ['Close floor 4 on Fridays', 'Close floor 4 on Fridays – 2026-11-28.csv'],
    ['../a\\b: "c"\u202egpj?', 'a b c gpj – 2026-11-28.csv'],
    ['...', '2026-11-28.csv'],
  ])('is named after the scenario and the day at its site', (name, expected) => {
    expect(scenarioFile({ ...report, asked: { ...asked, name } }, 'csv').filename).toBe(expected)
  })

  it('has a workbook whose saving is computed by formulas', async () => {
    const files = unzip(await contentOf('xlsx'))
    const sheets = [...files].filter(([name]) => /sheet\d\.xml$/.test(name)).map(([, xml]) => xml)
    expect(files.get('xl/workbook.xml')).toMatch(/Conclusion.*Saving.*Floors.*Who sits where.*Assumptions/s)
    const [conclusion = '', saving = ''] = sheets
    const formulas = [...saving.matchAll(/<f>(.*?)<\/f>/g)].map(([, formula]) => formula)
    expect(formulas).toEqual([
      ...['ROUND(B2*C2*D2/E2,2)', 'IF(D2=E2,B2-F2,0)'],
      ...['ROUND(B3*C3*D3/E3,2)', 'IF(D3=E3,B3-F3,0)'],
      ...['SUM(F2:F3)', 'SUM(G2:G3)'],
    ])
    // With their results, for viewers that compute nothing.
    const { amount, lines } = report.result.saving ?? { amount: 0, lines: [] }
    expect(conclusion).toContain(`<f>Saving!F4</f><v>${amount / 100}</v>`)
    expect([...saving.matchAll(/<\/f><v>(.*?)<\/v>/g)].map(([, result]) => Number(result))).toEqual([
      ...lines.flatMap((line) => [line.amount / 100, line.rent / 100]),
      ...[amount / 100, lines.reduce((sum, { rent }) => sum + rent, 0) / 100],
    ])
    // It prints one page wide, with the headings on each page.
    expect(files.get('xl/workbook.xml')).toContain(
      `<definedName name="_xlnm.Print_Titles" localSheetId="1">'Saving'!$1:$1</definedName>`,
    )
    for (const xml of sheets) expect(xml).toMatch(/fitToPage="1".*<pageSetup [^>]*fitToWidth="1" fitToHeight="0"/s)
    // Words instead of names of the API, and no identifiers.
    expect([...files.values()].join('')).toMatch(/Lowest cost: .*All teams: 10 % more people/s)
    expect([...files.values()].join('')).not.toMatch(/lowest_cost|fr_1|spc_/)
    // Text that a spreadsheet would read as a formula begins with an apostrophe.
    expect([...files.values()].join('')).toContain("'=Floor 2 can close")
  })
})
