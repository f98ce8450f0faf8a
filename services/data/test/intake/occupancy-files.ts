import { gzipSync } from 'node:zlib'
import { writeWorkbook } from './write-workbook.ts'

/** A file of a kind that people export, and what a right reading of it gives. */
export interface OccupancyFile {
  content: Buffer
  rows: number
  /** The sums of the number columns that count people. */
  sums: Record<string, number>
  refused?: number
  columns: string[]
}

const days = 42
const hours = days * 24

/** People in a building in the n-th hour: few at night, up to some thousands at noon of a working day. */
function peopleAt(hour: number): number {
  const [day, ofDay] = [Math.floor(hour / 24), hour % 24]
  if (day % 7 > 4 || ofDay < 7 || ofDay > 18) return (hour * 7) % 9
  return Math.round((2400 - Math.abs(12.5 - ofDay) * 360) * (0.85 + ((day * 3) % 5) / 20))
}

const at = (hour: number) => new Date(Date.UTC(2024, 0, 1, hour)).toISOString()
const all = Array.from({ length: hours }, (_, hour) => ({ hour, iso: at(hour), people: peopleAt(hour) }))
export const sum = all.reduce((total, { people }) => total + people, 0)

const dayFirst = (iso: string, mark: string) => [iso.slice(8, 10), iso.slice(5, 7), iso.slice(0, 4)].join(mark)
const monthFirst = (iso: string) => [iso.slice(5, 7), iso.slice(8, 10), iso.slice(0, 4)].join('/')
const clock = (iso: string) => iso.slice(11, 16)
const halfDay = (iso: string, space: string) => {
  const hour = Number(iso.slice(11, 13))
  return `${String(hour % 12 || 12).padStart(2, '0')}:00${space}${hour < 12 ? 'AM' : 'PM'}`
}
const grouped = (people: number, mark: string) => String(people).replace(/\B(?=(?:\d{3})+$)/g, mark)

type Hour = (typeof all)[number]
const lines = (header: string, write: (hour: Hour) => string) => [header, ...all.map(write)]
const plain = lines('time;people', ({ iso, people }) => `${iso.slice(0, 10)} ${clock(iso)};${people}`)
const text = (written: readonly string[], encoding: BufferEncoding = 'utf8') =>
  Buffer.from(`${written.join('\n')}\n`, encoding)
const counts = (content: Buffer, more: Partial<OccupancyFile> = {}): OccupancyFile => ({
  content,
  rows: hours,
  sums: { people: sum },
  columns: ['time', 'people'],
  ...more,
})
const iso = ({ iso: time }: Hour) => time.slice(0, 16)
const spaced = ({ iso: time }: Hour) => `${time.slice(0, 10)} ${clock(time)}`

/** The files by their names: one of each kind. */
export const occupancyFiles: Record<string, OccupancyFile> = {
  'thousands with commas': counts(text(lines('time;people', (hour) => `${iso(hour)};${grouped(hour.people, ',')}`))),
  'thousands with apostrophes': counts(
    text(lines('time;people', (hour) => `${spaced(hour)};${grouped(hour.people, "'")}`)),
  ),
  'thousands with narrow spaces': counts(
    text(lines('time;people', (hour) => `${spaced(hour)};${grouped(hour.people, '\u202f')}`)),
  ),
  'German dates and numbers': counts(
    text(
      lines('time;people', (hour) => `${dayFirst(hour.iso, '.')} ${clock(hour.iso)};${grouped(hour.people, '.')},0`),
    ),
  ),
  'American times': counts(
    text(lines('time;people', (hour) => `${monthFirst(hour.iso)} ${halfDay(hour.iso, ' ')};${hour.people}`)),
  ),
  'American times with narrow spaces': counts(
    text(lines('time;people', (hour) => `${monthFirst(hour.iso)} ${halfDay(hour.iso, '\u202f')};${hour.people}`)),
  ),
  'Windows-1252': counts(text(['Zeit;Gäste', ...plain.slice(1)], 'latin1'), {
    sums: { Gäste: sum },
    columns: ['Zeit', 'Gäste'],
  }),
  'UTF-16 with a mark': counts(text([`\ufeff${plain[0]}`, ...plain.slice(1)], 'utf16le')),
  'a sep line': counts(Buffer.from(`sep=;\r\n${plain.join('\r\n')}\r\n`)),
  'lines before the header': counts(text(['Report: Occupancy', 'Generated: 2024-02-12 by Facilities', '', ...plain])),
  'a row of totals': counts(text([...plain, `Total;${sum}`]), { refused: 1 }),
  pipes: counts(text(plain.map((line) => line.replace(';', '|')))),
  'trailing empty columns': counts(text(plain.map((line) => `${line};;`))),
  'an unnamed index column': counts(text(plain.map((line, index) => `${index === 0 ? '' : index - 1};${line}`)), {
    columns: ['column_1', 'time', 'people'],
  }),
  gzip: counts(gzipSync(text(plain))),
  'a date and an hour': counts(
    text(lines('Date,Hour,people', ({ iso: time, hour, people }) => `${dayFirst(time, '/')},${hour % 24},${people}`)),
    { columns: ['Date', 'Hour', 'people'] },
  ),
  'a date and a range': counts(
    text(
      lines(
        'Date,Time,people',
        ({ iso: time, hour, people }) => `${time.slice(0, 10)},${hour % 24}:00-${hour % 24}:59,${people}`,
      ),
    ),
    { columns: ['Date', 'Time', 'people'] },
  ),
  'a column for each building': counts(
    text(lines('time,North,South', (hour) => `${iso(hour)},${hour.people},${hour.people * 2}`)),
    { sums: { North: sum, South: sum * 2 }, columns: ['time', 'North', 'South'] },
  ),
  'midnight as 24:00': counts(
    text(
      lines(
        'time,people',
        (hour) => `${hour.hour % 24 === 0 ? `${at(hour.hour - 1).slice(0, 10)}T24:00` : iso(hour)},${hour.people}`,
      ),
    ),
  ),
  'a stray year': counts(text([...plain, '2034-02-01 10:00;5']), { rows: hours + 1, sums: { people: sum + 5 } }),
  'minus one for closed': counts(
    text(lines('time,people', (hour) => `${iso(hour)},${hour.hour % 24 < 5 ? -1 : hour.people}`)),
    {
      sums: { people: all.reduce((total, { hour, people }) => total + (hour % 24 < 5 ? -1 : people), 0) },
    },
  ),
  'badge swipes without a key': {
    content: text([
      'Date,User ID',
      ...Array.from(
        { length: 400 },
        (_, n) =>
          `01/${String(1 + Math.floor(n / 40)).padStart(2, '0')}/2024 ${String(8 + (Math.floor(n / 4) % 10)).padStart(2, '0')}:00,uid-${n % 3}`,
      ),
    ]),
    rows: 400,
    sums: {},
    columns: ['Date', 'User ID'],
  },
  'the repeated hour of autumn': counts(
    text(['time,people', ...all.map((hour) => `${spaced(hour)},${hour.people}`), '2024-01-01 02:00,3']),
    { rows: hours + 1, sums: { people: sum + 3 } },
  ),
  'dates that the 13th decides': counts(
    text(lines('time,people', (hour) => `${dayFirst(hour.iso, '/')} ${clock(hour.iso)},${hour.people}`)),
  ),
  'line breaks and quotes in fields': counts(
    text(lines('time,people,note', (hour) => `${iso(hour)},${hour.people},"line one\nline ""two"", ${hour.hour}"`)),
    { columns: ['time', 'people', 'note'] },
  ),
  'a workbook whose second sheet has the data': counts(
    writeWorkbook([
      { name: 'Read me', rows: [['Counts of Harbour House']] },
      {
        name: 'Counts',
        rows: [['time', 'people'], ...all.map(({ hour, people }) => [{ serial: 45_292 + hour / 24 }, people])],
      },
    ]),
  ),
}

/** Files that must be refused, with the text of the refusal; those with `null` have no rows. */
export const refusedFiles: Record<string, { content: string; detail: string | null }> = {
  'a page in place of the file': {
    content: '<!doctype html><html><body>Sign in to continue</body></html>',
    detail: 'It is an HTML page, not a table: "Sign in to continue"',
  },
  'a header alone': { content: 'id;room\n', detail: null },
}
