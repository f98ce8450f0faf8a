const hours = (offset: string, names: string): [string, string][] => names.split(' ').map((name) => [name, offset])

/** Offsets of the abbreviations that mean one zone. CST, IST and BST mean several. */
const offsets: ReadonlyMap<string, string> = new Map([
  ...hours('Z', 'UTC GMT UT WET'),
  ...hours('+01:00', 'CET MEZ WEST'),
  ...hours('+02:00', 'CEST MESZ EET OEZ'),
  ...hours('+03:00', 'EEST OESZ MSK'),
  ...hours('+08:00', 'SGT HKT AWST'),
  ...hours('+09:00', 'JST KST'),
  ...hours('+10:00', 'AEST'),
  ...hours('+11:00', 'AEDT'),
  ...hours('+12:00', 'NZST'),
  ...hours('+13:00', 'NZDT'),
  ...hours('-04:00', 'EDT'),
  ...hours('-05:00', 'EST CDT'),
  ...hours('-06:00', 'MDT'),
  ...hours('-07:00', 'MST PDT'),
  ...hours('-08:00', 'PST'),
  ...hours('-10:00', 'HST'),
])

/** Returns the offset of the name of a time zone such as `CEST`, undefined if it has none or several. */
export const offsetOfZone = (name: string): string | undefined => offsets.get(name.toUpperCase())

/** Standard times of zones that most places leave in summer. */
export const standardTime = /\b(?:CET|MEZ|EET|OEZ|WET|EST|MST|PST)\b/
