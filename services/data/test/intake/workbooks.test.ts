import { describe, expect, it } from '@jest/globals'
import { typeTable } from '../../src/intake/columns/type-table.ts'
import { createRowProtection } from '../../src/privacy/row-protection.ts'
import { readTable } from './read-table.ts'
import { type WorkbookCell, writeWorkbook } from './write-workbook.ts'

const sheet = (rows: WorkbookCell[][], name = 'Data') => ({ name, rows })
const valuesOf = async (cells: WorkbookCell[], options: Parameters<typeof writeWorkbook>[1] = {}) => {
  const rows = [['label', 'cell'], ...cells.map((cell, index) => [`row ${index}`, cell])]
  return (await readTable(writeWorkbook([sheet(rows)], options))).values.map(({ cell }) => cell)
}

describe('a workbook', () => {
  it('is read with shared texts, numbers, booleans and nothing as they are', async () => {
    const shared = { xml: '<c t="s"><v>0</v></c>' }
    const rows: WorkbookCell[][] = [
      ['room', 'people', 'open', 'note'],
      [shared, 12, true, null],
      ['B & C', 7.5, false, ''],
    ]
    const { values, format } = await readTable(writeWorkbook([sheet(rows)], { sharedStrings: ['Room <A>'] }))
    expect(values).toEqual(
      [
        { room: 'Room <A>', people: 12, open: true, note: null },
        { room: 'B & C', people: 7.5, open: false, note: null },
      ].map(({ note: _, ...row }, index) => ({ ...row, note: index === 0 ? null : '' })),
    )
    expect(format).toMatchObject({
      type: 'xlsx',
      sheet: 'Data',
      header_row: 1,
      columns: { people: { type: 'number' } },
    })
  })

  it.each([
    [45_292, 'yyyy-mm-dd', '2024-01-01'],
    [45_292, 'yyyy-mm-dd h:mm', '2024-01-01T00:00:00'],
    [45_292.04166666666, 'h:mm', '2024-01-01T01:00:00'],
    [45_292.99999, 'yyyy-mm-dd h:mm:ss', '2024-01-01T23:59:59'],
    [45_292.999999, 'yyyy-mm-dd h:mm:ss', '2024-01-02T00:00:00'],
    [45_292.5000058, 'hh:mm:ss.000', '2024-01-01T12:00:00.501'],
    [0.354166666, 'h:mm', '08:30:00'],
    [1.5, '[h]:mm', '36:00:00'],
    [1.1, 'h:mm', '02:24:00'],
    [0.999999999, 'h:mm', '00:00:00'],
    [42, '00000', '00042'],
    [0.07, '0%', 7],
    [0.1234, '0.00 %', 12.34],
    [0.07, '0.00" %"', 0.07],
    [61, 'dd/mm/yyyy', '1900-03-01'],
    [59, 'dd/mm/yyyy', '1900-02-28'],
    [45_292.25, '"as of" dd.mm.yyyy', '2024-01-01T06:00:00'],
    [45_292, '#,##0 "days"', 45_292],
    [45_292, '[Red]0.00', 45_292],
    [45_292, 'General', 45_292],
  ])('is read with the serial number %d in the format %s as %s', async (serial, format, expected) => {
    expect(await valuesOf([{ serial, style: 2 }], { formats: [format] })).toEqual([expected])
  })

  it('is read with the date system of 1904 when it has it', async () => {
    expect(await valuesOf([{ serial: 43_830, style: 1 }], { uses1904: true })).toEqual(['2024-01-01T00:00:00'])
  })

  it('is read with the stored values of formulas, and without the rows of errors', async () => {
    const formula = (content: string, type = '') => ({ xml: `<c${type}>${content}</c>` })
    const rows: WorkbookCell[][] = [
      ['a', 'n'],
      ...Array.from({ length: 30 }, (_, n): WorkbookCell[] => [`x${n}`, n]),
      ['sum', formula('<f>1+1</f><v>2</v>')],
      ['not calculated', formula('<f>1+1</f>')],
      ['error', formula('<f>1/0</f><v>#DIV/0!</v>', ' t="e"')],
      ['not available', formula('<v>#N/A</v>', ' t="e"')],
      ['end', 1],
    ]
    const { values, refused } = await readTable(writeWorkbook([sheet(rows)]))
    expect(values.slice(30)).toEqual([
      { a: 'sum', n: 2 },
      { a: 'not available', n: null },
      { a: 'end', n: 1 },
    ])
    expect(refused.map(({ line, column, badValue }) => [line, column, badValue])).toEqual([
      [33, 'n', 'a formula without a stored value'],
      [34, 'n', '#DIV/0!'],
    ])
  })

  it('names a hidden sheet with a table when the sheets that are shown have less', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => [`R${n}`, n])
    const data = { name: 'Data', rows: [['room', 'people'], ...rows], state: 'hidden' }
    const { warnings, format } = await readTable(
      writeWorkbook([{ name: 'Info', rows: [['Export'], ['of 2026']] }, data]),
    )
    expect([format.sheet, warnings]).toMatchObject([
      'Info',
      [{ code: 'other_sheets', message: expect.stringContaining('"Data"') }],
    ])
  })

  it('is read without a hidden sheet that cannot be read, unless that one is asked for', async () => {
    const table = (cell: WorkbookCell) => [
      ['room', 'people'],
      ['A', cell],
      ['B', 6],
    ]
    const hidden = { name: 'Old', rows: table({ xml: '<c><v>1</c></v>' }), state: 'hidden' }
    const workbook = writeWorkbook([hidden, { name: 'Data', rows: table(5) }])
    expect((await readTable(workbook)).values).toEqual([
      { room: 'A', people: 5 },
      { room: 'B', people: 6 },
    ])
    const format = { type: 'xlsx', sheet: 'Old' } as const
    await expect(readTable(workbook, { format })).rejects.toMatchObject({ code: 'malformed_body' })
  })

  it.each([
    ['row 2 has two values of column 2', '<c><v>1</v></c><c r="B2"><v>2</v></c>'],
    ['row 2 is below row 2', '<c><v>1</v></c></row><row r="2"><c r="B2"><v>2</v></c>'],
  ])('is refused when %s', async (fault, cell) => {
    const workbook = writeWorkbook([
      sheet([
        ['a', 'n'],
        ['x', { xml: cell }],
        ['y', 3],
      ]),
    ])
    await expect(readTable(workbook)).rejects.toMatchObject({
      code: 'malformed_body',
      detail: `The workbook is damaged: xl/worksheets/sheet1.xml: ${fault}`,
    })
  })

  it('is read from the sheet with a table, which the pinned sheet overrides', async () => {
    const tables = [
      { name: 'Cover', rows: [['Report'], ['of 2024']] },
      {
        name: 'Hidden',
        rows: [
          ['a', 'b'],
          ['x', 1],
        ],
        state: 'hidden',
      },
      { name: 'North', rows: [['Counts'], [], ['room', 'people'], ['N1', 5], ['N2', 6]] },
      {
        name: 'South',
        rows: [
          ['room', 'people'],
          ['S1', 7],
        ],
      },
    ]
    const first = await readTable(writeWorkbook(tables))
    expect([first.values, first.format.sheet, first.format.header_row]).toEqual([
      [
        { room: 'N1', people: 5 },
        { room: 'N2', people: 6 },
      ],
      'North',
      3,
    ])
    expect(first.warnings).toMatchObject([{ code: 'alike_sheets', message: expect.stringContaining('"South"') }])
    const pinned = await readTable(writeWorkbook(tables), { format: { type: 'xlsx', sheet: 'South' } })
    expect(pinned.values).toEqual([{ room: 'S1', people: 7 }])
    await expect(readTable(writeWorkbook(tables), { format: { sheet: 'East' } })).rejects.toMatchObject({
      code: 'unexpected_format',
      detail: expect.stringContaining('has no sheet "East"'),
    })
  })

  describe('with a sheet for each month', () => {
    const month = (name: string, first: number, ...more: WorkbookCell[][]) => ({
      name,
      rows: [['Room', 'Persons'], ['R1', first], ['R2', first + 1], ...more] as WorkbookCell[][],
    })
    const cover = {
      name: 'Cover',
      rows: [
        ['Month', 'Sum', 'Room'],
        ['Jan', 5, 'R1'],
        ['Feb', 15, 'R1'],
      ],
    }

    it('is read as one table with the names of the sheets when asked', async () => {
      const feb = {
        name: 'Feb',
        rows: [
          ['Counts'],
          [],
          ['Persons', 'Remark', 'Room'],
          [10, 'x', 'R1'],
          [11, '', 'R2'],
          [{ xml: '<c t="e"><v>#DIV/0!</v></c>' }, '', 'R3'],
        ],
      }
      const sheets = [cover, month('Jan', 5, ['Total', 11]), feb, { ...month('Old', 7), state: 'hidden' }]
      const asked = await readTable(writeWorkbook(sheets), { format: { sheet: '*' } })
      expect(asked.values).toEqual([
        { Room: 'R1', Persons: 5, Remark: null, Sheet: 'Jan' },
        { Room: 'R2', Persons: 6, Remark: null, Sheet: 'Jan' },
        { Room: 'R1', Persons: 10, Remark: 'x', Sheet: 'Feb' },
        { Room: 'R2', Persons: 11, Remark: '', Sheet: 'Feb' },
      ])
      expect(asked.refused).toMatchObject([
        { line: 4, reason: expect.stringMatching(/^sheet "Jan": is a row of totals/), isFooter: true },
        { line: 6, reason: expect.stringMatching(/^sheet "Feb": column "Persons"/) },
      ])
      const [warning] = asked.warnings.filter(({ code }) => code === 'other_sheets')
      expect(warning?.message).toMatch(/^2 sheets are read\. Others are not.*: "Cover", "Old"$/)
      const { warnings } = await readTable(writeWorkbook(sheets.slice(1)))
      expect(warnings).toMatchObject([{ code: 'alike_sheets', message: expect.stringContaining('"*"') }])
      const next = await readTable(writeWorkbook([cover, feb, month('Mar', 20)]), { format: asked.format })
      expect(next.values.map(({ Sheet, Persons }) => [Sheet, Persons])).toEqual([
        ...[10, 11].map((persons) => ['Feb', persons]),
        ...[20, 21].map((persons) => ['Mar', persons]),
      ])
    })

    it('has reasons with the numbers of sheets in place of their names when a column is protected', async () => {
      const config = { drop: ['Sheet'] }
      const protection = createRowProtection({ config, isRestricted: false, key: 'key' })
      const ada = { ...month('Ada Lovelace', 5), hiddenRows: [3] }
      const max = month('Max Planck', 7, ['R3', { xml: '<c t="e"><v>#REF!</v></c>' }])
      const workbook = writeWorkbook([ada, max, { ...cover, name: 'Kurt Gödel' }, month('Lise Meitner', 5)])
      const { refused, values, warnings } = await readTable(workbook, { format: { sheet: '*' }, protection })
      expect([refused[0]?.reason, values.length]).toEqual([expect.stringMatching(/^sheet "2": column "Persons"/), 6])
      expect(warnings).toMatchObject([
        { code: 'other_sheets', message: expect.stringMatching(/hidden: 3$/) },
        { code: 'equal_sheets', message: expect.stringMatching(/^The sheets 1, 4 have/) },
        { code: 'hidden_rows', message: expect.stringMatching(/^Sheet 1: Row 3/) },
      ])
      const alone = await readTable(workbook, { format: { sheet: 'Old' }, protection: undefined }).catch(String)
      expect(alone).toContain('"Ada Lovelace", "Max Planck"')
      const isRestricted = createRowProtection({ config: {}, isRestricted: true, key: undefined })
      const { warnings: ofOne } = await readTable(workbook, { protection: isRestricted })
      expect(JSON.stringify([refused, values, warnings, ofOne])).not.toMatch(/Ada|Max|Kurt|Lise/)
    })

    it('protects columns whose names other columns have in some sheets', async () => {
      const config = { pseudonymize: ['Sheet', 'Name'] }
      const protection = createRowProtection({ config, isRestricted: false, key: 'a2V5' })
      const sheets = [
        {
          name: 'Ada L',
          rows: [
            ['Date', 'Sheet', 'Name', 'Name'],
            ['2026-01-05', 'x', 'Ann', 'Lovelace'],
          ],
        },
        {
          name: 'Max P',
          rows: [
            ['Date', 'Sheet', 'Name', 'Name_2'],
            ['2026-01-06', 'y', 'Bob', 'Planck'],
          ],
        },
      ]
      const { values } = await readTable(writeWorkbook(sheets), { format: { sheet: '*' }, protection })
      expect(values.map((value) => Object.keys(value).sort())).toEqual(
        values.map(() => ['Date', 'Name', 'Name_2', 'Sheet', 'Sheet_2']),
      )
      expect(JSON.stringify(values)).not.toMatch(/Ada|Max|Lovelace|Planck/)
      const own = createRowProtection({ config: { drop: ['Sheet_2'] }, isRestricted: false, key: undefined })
      const read = await readTable(writeWorkbook(sheets), { format: { sheet: '*' }, protection: own })
      expect(read.values.map(({ Sheet, Sheet_2 }) => [Sheet, Sheet_2])).toEqual([
        ['x', undefined],
        ['y', undefined],
      ])
    })

    it.each<[string, [string, WorkbookCell[][]][]]>([
      [
        'each has a column of its own',
        ['Feb', 'Mar', 'Jan', 'Apr'].map((name, at) => [
          name,
          [
            ['Date', 'Site', 'Visitors', ...(at === 2 ? [] : [`Note ${name}`])],
            [`2026-0${at + 1}-05`, 'North', at, ...(at === 2 ? [] : ['x'])],
            [`2026-0${at + 1}-06`, 'South', at, ...(at === 2 ? [] : ['y'])],
          ],
        ]),
      ],
      [
        'names are grouped, missing and repeated',
        [0, 2].map((gap) => [
          `Line ${gap}`,
          [
            ...Array.from({ length: gap }, () => [] as WorkbookCell[]),
            [null, null, 'North', null, 'South', null],
            ['Day', null, 'In', 'Out', 'In', 'Out'],
            ['2026-01-05', 'a', gap + 1, 2, 3, 4],
            ['2026-01-06', 'b', gap + 5, 6, 7, 8],
          ],
        ]),
      ],
      [
        'others have more columns',
        [...[1, 2], ...[3, 4, 5]].map((at) => [
          `S${at}`,
          [
            ['Date', 'Site', 'Visitors', ...(at < 3 ? [] : ['Sum', 'Mean'])],
            [`2026-01-0${at}`, 'North', at, ...(at < 3 ? [] : [1, 2])],
            [`2026-02-0${at}`, 'South', at, ...(at < 3 ? [] : [3, 4])],
          ],
        ]),
      ],
    ])('is read alike when it is sent again and %s', async (_, sheets) => {
      const workbook = writeWorkbook(sheets.map(([name, rows]) => ({ name, rows })))
      const first = await readTable(workbook, { format: { sheet: '*' } })
      const again = await readTable(workbook, { format: first.format })
      expect(again.values).toEqual(first.values)
      expect(new Set(first.values.map(({ Sheet }) => Sheet)).size).toBe(sheets.length === 5 ? 2 : sheets.length)
    })

    it('is read as the warning about alike sheets says when more sheets are lists', async () => {
      const lists = ['Rooms', 'Teams', 'Floors'].map((name) => ({ name, rows: [['Name'], ['A'], ['B']] }))
      const workbook = writeWorkbook([...lists, month('Jan', 5), month('Feb', 7)])
      expect((await readTable(workbook)).warnings).toMatchObject([
        { code: 'alike_sheets', message: expect.stringContaining('the same columns: "Feb".') },
      ])
      const { values } = await readTable(workbook, { format: { sheet: '*' } })
      expect(values.map(({ Sheet }) => Sheet)).toEqual(['Jan', 'Jan', 'Feb', 'Feb'])
    })

    it('is refused when it has too many sheets with tables', async () => {
      const rows = (n: number) => [
        ['Room', `P${n}`],
        ['R1', n],
        ['R2', n],
      ]
      const sheets = Array.from({ length: 401 }, (_, n) => ({ name: `S${n}`, rows: rows(n) }))
      await expect(readTable(writeWorkbook(sheets), { format: { sheet: '*' } })).rejects.toMatchObject({
        code: 'malformed_body',
        detail: expect.stringContaining('has 401 sheets with tables; at most 400'),
      })
    })

    it('names the sheets that have another table below', async () => {
      const below: WorkbookCell[][] = [[], ['Desk', 'Capacity'], ['D1', 4]]
      const { warnings } = await readTable(
        writeWorkbook(Array.from({ length: 30 }, (_, n) => month(`M${n}`, n, ...below))),
        { format: { sheet: '*' } },
      )
      const found = warnings.filter(({ code }) => code === 'table_below')
      expect(found).toHaveLength(20)
      expect(found[1]?.message).toMatch(/^Sheet "M1": Line 5 has words/)
    })

    it('names sheets with the same rows', async () => {
      const { warnings } = await readTable(writeWorkbook([month('Jan', 5), month('Jan (2)', 5)]), {
        format: { sheet: '*' },
      })
      expect(warnings).toMatchObject([{ code: 'equal_sheets', message: expect.stringContaining('"Jan", "Jan (2)"') }])
      const empty = ['Nov', 'Dec'].map((name) => ({ name, rows: [['Room', 'Persons']] }))
      const format = { sheet: '*', header_row: 1 }
      expect((await readTable(writeWorkbook([month('Oct', 5), ...empty]), { format })).warnings).toEqual([])
    })

    it('is read from the only sheet with the columns of the pinned one when that is missing', async () => {
      const { format } = await readTable(writeWorkbook([month('Jan', 5), cover]))
      const next = await readTable(writeWorkbook([cover, month('Feb', 9)]), { format })
      expect([next.format.sheet, next.values.length]).toEqual(['Feb', 2])
      expect(next.warnings.map(({ code }) => code)).toContain('renamed_sheet')
      await expect(readTable(writeWorkbook([month('Feb', 9), month('Mar', 9)]), { format })).rejects.toMatchObject({
        code: 'unexpected_format',
        detail: expect.stringContaining('several sheets have its columns: "Feb", "Mar"'),
      })
      const rows = [
        ['Room', 'Person'],
        ['R1', 'a'],
        ['R2', 'b'],
        ['R3', 'c'],
      ]
      const three = { sheet: 'Jan', columns: { Room: { type: 'string' as const }, Persons: {}, Person: {} } }
      await expect(readTable(writeWorkbook([{ name: 'Summary', rows }]), { format: three })).rejects.toMatchObject({
        code: 'unexpected_format',
        detail: expect.stringContaining('none has all columns of the files before; its sheets are "Summary"'),
      })
    })
  })

  it('is refused when it has no table or is damaged', async () => {
    await expect(readTable(writeWorkbook([sheet([['only a title']])]))).rejects.toMatchObject({
      code: 'malformed_body',
    })
    const whole = writeWorkbook([
      sheet([
        ['a', 'b'],
        ['x', 1],
      ]),
    ])
    await expect(readTable(whole.subarray(0, whole.length / 2))).rejects.toMatchObject({
      code: 'malformed_body',
      detail: expect.stringContaining('damaged or incomplete'),
    })
    const malformed = writeWorkbook([
      sheet([
        ['a', 'b'],
        ['x', { xml: '<c><v>1</c></v>' }],
      ]),
    ])
    await expect(readTable(malformed)).rejects.toMatchObject({ code: 'malformed_body' })
  })
})

describe('a cell', () => {
  it.each([
    ['<c t="d"><v>2026-01-05T00:00:00.000</v></c>', '2026-01-05T00:00:00.000'],
    ['<c t="d" s="2"><v>2026-01-05T00:00:00.000</v></c>', '2026-01-05'],
    ['<c t="d"><v>2026-01-05T08:00Z</v></c>', '2026-01-05T08:00:00Z'],
    ['<c t="d"><v>08:30:00</v></c>', '08:30:00'],
    ['<c><v>123456789012345678</v></c>', '123456789012345678'],
  ])('is read from %s as %s', async (xml, expected) => {
    expect(await valuesOf([{ xml }], { formats: ['yyyy-mm-dd'] })).toEqual([expected])
  })

  it('is read with its format and text when their parts have other names', async () => {
    const options = { formats: ['yyyy-mm-dd'], sharedStrings: ['Room A'], hasOtherNames: true }
    const cells = [{ serial: 46_027, style: 2 }, { xml: '<c t="s"><v>0</v></c>' }]
    expect(await valuesOf(cells, options)).toEqual(['2026-01-05', 'Room A'])
  })

  it('is no column when it has a style only', async () => {
    const far: WorkbookCell[] = [...Array<null>(1_100).fill(null), { xml: '<c s="2"/>' }]
    const rows: WorkbookCell[][] = [['day', 'people'], ['2026-01-05', 1], far]
    expect((await readTable(writeWorkbook([sheet(rows)]))).values).toEqual([{ day: '2026-01-05', people: 1 }])
  })
})

describe('a table', () => {
  const counts = Array.from({ length: 12 }, (_, n): WorkbookCell[] => [
    { serial: 46_027 + n, style: 2 },
    `R${n % 3}`,
    n,
  ])
  const header = ['day', 'room', 'people']
  const read = (rows: WorkbookCell[][], merged: string[] = []) =>
    readTable(writeWorkbook([{ ...sheet(rows), merged }], { formats: ['yyyy-mm-dd'] }))

  it.each([
    ['a total without a label', [null, null, 78], 'is below the table'],
    ['a note', ['* working days only'], 'is a note below the table'],
  ])('that begins in the second column has no row for %s below it', async (_, last, reason) => {
    const { values, refused } = await read([header, ...counts, last].map((cells) => [null, ...cells]))
    expect(values).toHaveLength(12)
    expect(refused).toMatchObject([{ line: 14, reason: expect.stringContaining(reason), isFooter: true }])
  })

  it.each([
    ['has the same names', 12, ['day', 'room', 'people'], [{ serial: 46_027, style: 2 }, 'X', 1]],
    ['ends later', 20, ['desk', 'capacity'], ['D', 20]],
  ])('is read alone when another one beside it %s', async (_, length, names, cells) => {
    const rows = Array.from({ length }, (_, n) => [...(counts[n] ?? [null, null, null]), null, ...cells])
    const { values, warnings } = await read([[...header, null, ...names], ...rows])
    expect(values).toHaveLength(12)
    expect(Object.keys(values[0] ?? {})).toEqual(header)
    expect(warnings).toMatchObject([{ code: 'table_beside', message: expect.stringContaining('It is not read') }])
  })

  it('has a warning when another one stands beside it', async () => {
    const beside = (length: number) =>
      counts.map((cells, n) => [...cells, null, ...(n < length ? [`D${n}`, 20] : [])] satisfies WorkbookCell[])
    const names = [...header, null, 'desk', 'capacity']
    expect((await read([names, ...beside(5)])).warnings).toMatchObject([
      { code: 'table_beside', message: expect.stringContaining('From column "desk" on') },
    ])
    expect((await read([names, ...beside(12)])).warnings).toMatchObject([
      { code: 'table_beside', message: expect.stringContaining('both begin with names or times') },
    ])
    for (const groupOf of [(n: number) => n, () => 'EUR']) {
      const groups = counts.map((cells, n): WorkbookCell[] => [...cells, null, groupOf(n), 20])
      expect((await read([[...header, null, 'desks', 'seats'], ...groups])).warnings).toEqual([])
    }
  })

  it('has a warning when its numbers are in merged cells, which are read in each row', async () => {
    const rows = counts.map(([day, room], n): WorkbookCell[] => [day ?? null, room ?? null, n % 3 === 0 ? 10 : null])
    const { values, warnings } = await read([header, ...rows], ['C2:C4', 'C5:C7', 'C8:C10', 'C11:C13'])
    expect(values.map(({ people }) => people)).toEqual(Array(12).fill(10))
    expect(warnings).toMatchObject([{ code: 'merged_numbers', column: 'people' }])
  })

  it('has the name of a column from the row above when its cell is merged over both', async () => {
    const rows = counts.map(([day], n): WorkbookCell[] => [day ?? null, n, n, n])
    const names = [
      ['day', 'Ground floor', null, null],
      [null, 'R1', 'R2', 'R3'],
    ]
    const { values } = await read([...names, ...rows], ['A1:A2', 'B1:D1'])
    expect(values[1]).toEqual({ day: '2026-01-06', R1: 1, R2: 1, R3: 1 })
  })
})

describe('cells that are merged over rows', () => {
  const date = (serial: number): WorkbookCell => ({ serial, style: 2 })
  const rows: WorkbookCell[][] = [
    ['building', 'day', 'people'],
    ['North', date(46_027), 5],
    [null, date(46_028), 6],
    [null, date(46_029), 7],
    ['South', date(46_027), 8],
    [null, date(46_028), 9],
  ]
  const buildings = async (merged: string[]) => {
    const workbook = writeWorkbook([{ ...sheet(rows), merged }], { formats: ['yyyy-mm-dd'] })
    return (await readTable(workbook)).values.map(({ building }) => building)
  }

  it('have their value in each of the rows', async () => {
    expect(await buildings(['A2:A4', 'A5:A6'])).toEqual(['North', 'North', 'North', 'South', 'South'])
  })

  it('leave other empty cells empty, and those merged over columns alone', async () => {
    expect(await buildings(['A2:B2', 'A5:A6'])).toEqual(['North', null, null, 'South', 'South'])
  })

  it('are refused when there are too many', async () => {
    const merged = Array.from({ length: 200_001 }, (_, n) => `A${n + 2}:A${n + 3}`)
    await expect(buildings(merged)).rejects.toMatchObject({ detail: 'A sheet has more than 200000 merged cells' })
  })
})

describe('a column of times and texts', () => {
  const workbook = (days: readonly string[]) =>
    writeWorkbook([sheet([['day', 'people'], ...days.map((day, n): WorkbookCell[] => [cellOf(day), n])])], {
      formats: ['yyyy-mm-dd'],
    })
  const cellOf = (day: string): WorkbookCell =>
    day.includes('/') ? day : { serial: Math.round(Date.parse(day) / 86_400_000) + 25_569, style: 2 }
  const exchanged = ['2026-10-01', '2026-11-01', '2026-12-01', '01/13/2026', '01/14/2026', '01/15/2026']

  it('is refused when day and month were exchanged, unless its format is stated', async () => {
    await expect(readTable(workbook(exchanged))).rejects.toMatchObject({
      code: 'malformed_body',
      detail: expect.stringContaining('has probably exchanged day and month'),
    })
    const format = { timestamp_formats: { day: 'MM/DD/YYYY' } }
    expect((await readTable(workbook(exchanged), { format })).values[0]).toEqual({ day: '2026-10-01', people: 0 })
  })

  it('is read when times or texts have days of both halves of a month', async () => {
    for (const days of [
      [...exchanged, '2026-01-16'],
      [...exchanged, '01/05/2026'],
    ])
      expect((await readTable(workbook(days))).values).toHaveLength(days.length)
  })
})

it('is read with its hidden rows and columns, and says so', async () => {
  const rows = [['day', 'room', 'people'], ...Array.from({ length: 400 }, (_, n) => ['2026-01-05', `R${n}`, n])]
  const { values, warnings } = await readTable(
    writeWorkbook([{ ...sheet(rows), hiddenRows: [350], hiddenColumns: [2] }]),
  )
  expect([values.length, values[348]]).toEqual([400, { day: '2026-01-05', room: 'R348', people: 348 }])
  expect(warnings).toMatchObject([
    { code: 'hidden_column', column: 'room' },
    { code: 'hidden_rows', message: expect.stringContaining('Row 350 is hidden') },
  ])
})

it('has names of columns with the groups above them when they are repeated', async () => {
  const rows = [
    [null, 'Building A', null, 'Building B', null],
    ['day', 'in', 'out', 'in', 'out'],
    ['2026-01-05', 1, 2, 3, 4],
    ['2026-01-06', 5, 6, 7, 8],
  ]
  const { values, warnings } = await readTable(writeWorkbook([sheet(rows)]))
  expect(values[0]).toEqual({
    day: '2026-01-05',
    'Building A in': 1,
    'Building A out': 2,
    'Building B in': 3,
    'Building B out': 4,
  })
  expect(warnings.map(({ code }) => code)).toContain('grouped_columns')
})

it.each([1, 22])('is closed when its rows are read up to batch %d only', async (last) => {
  let isClosed = false
  const table = {
    format: { type: 'xlsx' as const },
    columns: ['n', 'Sheet'].map((name) => ({ name, isDropped: false })),
    warnings: [],
    sheetColumn: 1,
    async *rows() {
      try {
        for (let at = 0; at < 30; at++)
          yield Array.from({ length: 1_000 }, (_, n) => ({ line: at * 1_000 + n, cells: [n, null], sheet: 'Jan' }))
      } finally {
        isClosed = true
      }
    },
  }
  let read = 0
  for await (const _ of (await typeTable(table, { format: {}, declarations: {} })).rows()) if (++read === last) break
  expect([read, isClosed]).toEqual([last, true])
})
