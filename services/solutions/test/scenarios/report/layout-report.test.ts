import { describe, expect, it } from '@jest/globals'
import { page } from '@wp/pdf'
import type { Shape, TextShape } from '../../../src/scenarios/report/layout/shapes.ts'
import { layOutReport } from '../../../src/scenarios/report/layout-report.ts'
import type { ScenarioReport } from '../../../src/scenarios/report/scenario-report.ts'
import { conflictReport, exampleReport, hostileNames, largeReport } from './example-report.ts'

/** About the width of DejaVu Sans. */
const measure = (text: string, _font: string, size: number) => [...text].length * size * 0.6

const textsOf = (shapes: Shape[] = []) =>
  shapes.filter((shape): shape is TextShape => shape.kind === 'text').map(({ text }) => text)
const layOut = (report: ScenarioReport) => layOutReport(report, measure)
const textOf = (pages: Shape[][]) => pages.map((shapes) => textsOf(shapes).join(' ')).join('\n')

describe('the report of a scenario', () => {
  it('has conclusion, key figures and charts on its first page', () => {
    const [first] = layOut(exampleReport())
    const texts = textsOf(first)
    expect(texts).toEqual(expect.arrayContaining(['Fridays', 'Scenario report  ·  28 November 2026']))
    const text = texts.join(' ')
    expect(text).toContain('which saves EUR 201,600 a year.')
    expect(text).toContain('Forecast of 42 days, 23 November 2026 to 3 January 2027, from data until 22 November 2026')
    for (const figure of ['EUR 201,600', '1 of 4', '36', '97.3 %']) expect(texts).toContain(figure)
    expect(text).toContain('Without EUR 312,000 of rent')
    expect(text).toContain('1 more on some days; 6 of 20 floor days a week')
    expect(texts).toEqual(expect.arrayContaining(['1 of 4 free', '2 of 4 free', 'closed', '60 %', '90 %']))
  })

  it('has figures and dates as the reader writes them when the locale is known', () => {
    const text = textOf(layOut({ ...exampleReport(), locale: 'de-DE' }))
    for (const figure of ['EUR 201.600', '97,3 %', 'Without EUR 312.000 of rent', 'Scenario report  ·  28.11.2026'])
      expect(text).toContain(figure)
    expect(text).toContain('Forecast of 42 days, 23.11.2026 to 03.01.2027, from data until 22.11.2026')
  })

  it('does not say who moves when no team has a known floor today', () => {
    const report = exampleReport()
    report.result.before = null
    const texts = layOut(report).flatMap(textsOf)
    expect(texts).toContain('not known')
    expect(texts).not.toContain('36')
  })

  it('does not say that a floor is empty today when others than those of the plan may be there', () => {
    const report = exampleReport()
    for (const floor of report.result.floors) floor.utilization_before = {}
    expect(textOf(layOut(report))).toContain('–: not known of the people of the plan; others may be there.')
  })

  it('has the arithmetic of the saving line by line, and rent apart', () => {
    const text = textOf(layOut(exampleReport()))
    expect(text).toContain('EUR 480,000 a year × 35 % that ends with a closed day × 1 of 5 days = EUR 33,600')
    expect(text).toContain('EUR 480,000 a year × 35 % that ends with a closed day × 5 of 5 days = EUR 168,000')
    expect(text).toMatch(/Total EUR 201,600 .*Not in the saving.*B \/ 2 EUR 312,000 Total EUR 312,000/)
    expect(text).toContain('To keep the promise on 96 % of days, one point more, costs EUR 1,600 a year.')
  })

  it('has demand, risk, assumptions, floors, teams and warnings', () => {
    const text = textOf(layOut(exampleReport()))
    expect(text).toContain('People a day on average, forecast 150 181 170 165 90')
    expect(text).toContain('The forecast, with the places of the scenario 90 % 80 % 1.3 3.5')
    expect(text).toContain('Everyone has a place, of days – 90 % – – –')
    expect(text).toContain('Within 0.4 % of what the search of up to 30 s holds possible')
    expect(text).toContain('None: the demand and the floors of today')
    expect(text).toMatch(/A \/ 2 60 Mon Tue Wed Thu Without it, 180 places are left on Mondays/)
    expect(text).toMatch(/B \/ 2 60 never It closes\./)
    expect(text).toContain('Sales A / 1 30 A / 2 2 A / 1 30')
    expect(text).toContain('The floor of Legal is not known.')
  })

  it('has the name of the scenario and the number of the page at the foot of each', () => {
    const pages = layOut(exampleReport())
    expect(pages.map((shapes) => textsOf(shapes).slice(-2))).toEqual([
      ['Acme & Söhne  ·  Fridays', '1 of 3'],
      ['Acme & Söhne  ·  Fridays', '2 of 3'],
      ['Acme & Söhne  ·  Fridays', '3 of 3'],
    ])
  })

  it('states the changes in words', () => {
    const report = exampleReport()
    report.names = new Map([
      ['spc_a', 'Berlin / A'],
      ['team_a', 'Sales'],
    ])
    report.currencies = new Map([['spc_a', 'JPY']])
    report.asked.changes = {
      close_spaces: [{ space_id: 'spc_a' }, { space_id: 'spc_gone', weekdays: ['thu', 'fri'] }],
      headcount: [{ percent: -12.5 }, { team_id: 'team_a', number: 40 }],
      attendance: [
        { min_days: 2, fixed_days: ['tue'] },
        { team_id: 'team_a', stagger: true },
      ],
      capacity: [{ space_id: 'spc_a', capacity: 80 }],
      cost: [{ space_id: 'spc_a', annual_cost: 450_000, avoidable_share: 0.4 }],
    }
    const text = textOf(layOut(report))
    for (const change of [
      'Berlin / A is closed all week',
      'spc_gone is closed on Thursdays and Fridays',
      'All teams: 12.5 % fewer people',
      'Sales: 40 people',
      'All teams: attendance at least 2 days a week; all members on Tuesdays',
      'Sales: attendance spread evenly over the weekdays',
      'Berlin / A has 80 places',
      'Berlin / A costs JPY 450,000 a year; 40 % of its cost ends with a closed day',
    ])
      expect(text).toContain(change)
  })

  it('tells the effect of the changes apart from that of the plan', () => {
    const report = exampleReport()
    expect(textOf(layOut(report))).not.toContain('changed demand')
    if (report.result.demand_changed) report.result.demand_changed.people = { mon: 200 }
    const text = textOf(layOut(report))
    expect(text).toContain('People a day on average, with the changes 200 –')
    expect(text).toContain('The changed demand, with the places of today')
  })

  it('says what is not known where no floor closes, and after the forecast was deleted', () => {
    const report = { ...exampleReport(), forecast: null }
    Object.assign(report.result, {
      saving: null,
      saving_missing: 'No floor closes.',
      risk: null,
      next_point: null,
      free: [],
      gap: null,
    })
    const text = textOf(layOut(report))
    expect(text).toContain('not stated')
    expect(text).toContain('not known')
    expect(text).toContain('No floor closes.')
    expect(text).toContain('Forecast that is not kept any more')
  })
})

describe('a report of many floors and teams', () => {
  it('is shorter than 10 pages for 200 teams on 30 floors, with headings on each', () => {
    const pages = layOut(largeReport())
    expect(pages.length).toBeGreaterThan(5)
    expect(pages.length).toBeLessThan(10)
    const lists = pages.filter((shapes) => textsOf(shapes).some((text) => text.includes('/ Team ')))
    expect(lists.length).toBeGreaterThan(2)
    for (const shapes of lists) expect(textsOf(shapes)).toEqual(expect.arrayContaining(['Team', 'Monday', 'Moved']))
    expect(new Set(textsOf(pages.flat()).filter((text) => text.includes('/ Team '))).size).toBe(200)
  })

  it('shows the fullest floors and those that close first, and all of them further back', () => {
    const names = Array.from({ length: 60 }, (_, at) => `Level ${at + 1}`)
    const [first = [], ...others] = layOut(exampleReport(names))
    expect(textsOf(first).join(' ')).toContain('30 more floors are on the next pages.')
    const charted = new Set(textsOf(first).filter((text) => /^Level \d+$/.test(text)))
    expect(charted.size).toBe(30)
    for (let at = 1; at < 60; at += 2) expect(charted).toContain(`Level ${at + 1}`)
    expect(new Set(textsOf(others.flat()).filter((text) => /^Level \d+$/.test(text))).size).toBe(60)
  })

  it('is bounded, and says what it leaves out', () => {
    const name = (at: number) => `N${at}`
    const report = exampleReport(
      Array.from({ length: 300 }, (_, at) => name(at)),
      Array.from({ length: 3000 }, (_, at) => name(at)),
    )
    report.asked.changes.headcount = Array.from({ length: 500 }, () => ({ percent: 1 }))
    const pages = layOut(report)
    expect(pages.length).toBeLessThan(30)
    const text = textOf(pages)
    expect(text).toContain('2600 more teams are in the result of the scenario.')
    expect(text).toContain('180 more floors are in the result of the scenario.')
    expect(text).toContain('460 more, which the scenario states')
  })
})

describe('the report of a scenario without places', () => {
  it('is one page with the conditions', () => {
    const conflict = ['On Mondays, Sales needs 256 places.', 'Level 2 has 237 places.']
    const pages = layOut(conflictReport(conflict))
    expect(pages).toHaveLength(1)
    const texts = textsOf(pages[0])
    expect(texts).toContain('What is missing')
    for (const condition of conflict) expect(texts.filter((text) => text.includes(condition))).toHaveLength(1)
  })

  it('has what else is to know', () => {
    const report = conflictReport(['On Mondays, Sales needs 256 places.'])
    report.result.warnings = ['The forecast has 175 % of the people counted here.']
    expect(textOf(layOut(report))).toMatch(/Notes .*The forecast has 175 % of the people counted here\./)
  })

  it('has the floors that can close nevertheless after it', () => {
    const report = exampleReport()
    const conflict = ['On Tuesdays, Sales needs 256 places.', 'Level 2 has 237 places.']
    const conclusion = ['None are found; 91 % can be reached.', ...conflict, 'Without making that worse, B can close.']
    Object.assign(report.result, { is_feasible: false, conflict, conclusion: conclusion.join(' ') })
    const [first, second, ...others] = layOut(report)
    expect(textsOf(first).join(' ')).toContain('91 % can be reached. Without making that worse, B can close.')
    expect(textsOf(first)).toEqual(expect.arrayContaining(['What is missing', 'Assumptions']))
    expect(textsOf(second)).toEqual(expect.arrayContaining(['What can close all the same', '1 of 4']))
    const rest = textOf(others)
    expect(rest).toContain('Who sits where')
    expect(rest).not.toContain('Assumptions')
  })

  it('stays one page with many long conditions and changes', () => {
    const report = conflictReport(Array.from({ length: 50 }, (_, at) => `${at} ${'long name '.repeat(200)}`))
    report.asked.name = 'Name '.repeat(60)
    report.asked.changes.close_spaces = Array.from({ length: 500 }, (_, at) => ({ space_id: `spc_${at}` }))
    report.names = new Map(Array.from({ length: 500 }, (_, at) => [`spc_${at}`, 'long name '.repeat(200)]))
    expect(layOut(report)).toHaveLength(1)
    expect(textOf(layOut(report))).toMatch(/and 42 more .* 49\d more, which the scenario states/)
  })
})

it.each([
  ['ordinary', exampleReport()],
  ['hostile', exampleReport(hostileNames, hostileNames)],
  ['without floors', exampleReport([], [])],
  ['large', largeReport()],
  [
    'seven weekdays and hostile',
    sevenDays(
      exampleReport(
        Array.from({ length: 30 }, () => hostileNames[1] ?? ''),
        ['Sales'],
      ),
    ),
  ],
])('all of a report with %s names is within the page', (_, report) => {
  report.asked.name = report.result.floors[0]?.name ?? 'x'
  report.result.conclusion = report.result.floors.map(({ name }) => name).join(', ')
  report.result.warnings = report.result.teams.map(({ name }) => name)
  // Without the footer.
  for (const shapes of layOut(report))
    for (const shape of shapes.slice(0, -3)) {
      if (shape.kind === 'line') continue
      expect(shape.x).toBeGreaterThanOrEqual(page.left)
      expect(shape.x + shape.width).toBeLessThanOrEqual(page.right + 0.01)
      expect(shape.y + (shape.kind === 'text' ? shape.size : shape.height)).toBeLessThanOrEqual(page.bottom + 5)
      if (shape.kind !== 'text') continue
      // What is wrapped; a single line is cut where it is drawn.
      if (shape.direction === 'ltr') expect(measure(shape.text, 'names', shape.size)).toBeLessThanOrEqual(shape.width)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be printed
      expect(shape.text).not.toMatch(/[\u0000-\u001f\u202e]/)
    }
})

function sevenDays(report: ScenarioReport): ScenarioReport {
  report.result.weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  report.names = new Map([['spc_site', 'Site '.repeat(200)]])
  return report
}
