/** Writes a calendar of events, each a list of lines. */
export const calendarOf = (...events: string[][]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flatMap(component), 'END:VCALENDAR', ''].join('\r\n')

const component = (lines: readonly string[]): string[] =>
  lines[0]?.startsWith('BEGIN:') || lines[0]?.startsWith('METHOD:')
    ? [...lines]
    : ['BEGIN:VEVENT', ...lines, 'END:VEVENT']

/** An event of Monday, 5 January 2026, from 9:00 to 10:00 in Berlin. */
export const meeting = (...lines: string[]): string[] => [
  'UID:m1@example.test',
  'DTSTART;TZID=Europe/Berlin:20260105T090000',
  'DTEND;TZID=Europe/Berlin:20260105T100000',
  ...lines,
]
