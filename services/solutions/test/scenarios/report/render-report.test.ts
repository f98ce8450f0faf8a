import { describe, expect, it } from '@jest/globals'
import { reportFile } from '../../../src/scenarios/report/report-file.ts'
import type { ScenarioReport } from '../../../src/scenarios/report/scenario-report.ts'
import { conflictReport, exampleReport, hostileNames, largeReport } from './example-report.ts'

async function render(report: ScenarioReport): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of reportFile(report, undefined).open()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0

describe('the PDF of a scenario', () => {
  it('is a document with the name of the scenario as title and the time of its end', async () => {
    const pdf = await render(exampleReport())
    const text = pdf.toString('latin1')
    expect(text.slice(0, 5)).toBe('%PDF-')
    expect(text.slice(-6)).toContain('%%EOF')
    expect(text).toContain('\n(Fridays)\n')
    expect(text).toContain('\n(D:20261127233000Z)\n')
    expect(pagesOf(pdf)).toBe(3)
  })

  it('has the same bytes for the same scenario, and others for another', async () => {
    const pdf = await render(exampleReport())
    expect((await render(exampleReport())).equals(pdf)).toBe(true)
    const other = exampleReport()
    other.result.moved_people = 37
    expect((await render(other)).equals(pdf)).toBe(false)
    expect(reportFile(other, undefined).etag).not.toBe(reportFile(exampleReport(), undefined).etag)
    const renamed = { ...exampleReport(), names: new Map([['spc_site', 'Munich']]) }
    expect(reportFile(renamed, undefined).etag).not.toBe(reportFile(exampleReport(), undefined).etag)
  })

  it('is short and small for 200 teams on 30 floors', async () => {
    const pdf = await render(largeReport())
    expect(pagesOf(pdf)).toBeLessThan(10)
    expect(pdf.length).toBeLessThan(200_000)
  })

  it('is one page for a scenario without places', async () => {
    expect(pagesOf(await render(conflictReport(['Level 2 has 237 places.'])))).toBe(1)
  })

  it('prints hostile names', async () => {
    const pdf = await render(exampleReport(hostileNames, hostileNames))
    expect(pagesOf(pdf)).toBe(3)
    expect(pdf.length).toBeLessThan(200_000)
  })
})
