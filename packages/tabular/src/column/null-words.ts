/** Texts that stand for no value in columns of numbers and times, in lower case. */
const nullWords: ReadonlySet<string> = new Set([
  ...['n/a', 'na', 'n.a.', 'n. a.', '#n/a', '<na>', 'null', '(null)', '\\n', 'none', 'nil', 'nan', '-nan', 'nat'],
  ...['-', '--', '---', '–', '—', '.', '..', '...', '?', 'k.a.', 'k. a.', 'ka', 'k.a', 'keine angabe', 'unknown'],
  ...['missing', 'not available', 'n.d.', 'n/d', 's.o.', 's/o', '#null!'],
])
const maxLength = 14

/** Returns true for a text that stands for no value in a column of numbers or times. */
export const isNullWord = (text: string): boolean => text.length <= maxLength && nullWords.has(text.toLowerCase())

const errorValues: ReadonlySet<string> = new Set([
  ...['#ref!', '#value!', '#div/0!', '#name?', '#num!', '#spill!', '#calc!', '#getting_data', '#wert!', '#bezug!'],
  ...['#name!', '#zahl!', '#valeur!', '#nom?', '#nombre!', '#valor!', '#valore!', '#nome?', '#nv!', '######'],
])

/** Returns true for an error of a spreadsheet, which is no value of any column. */
export const isErrorValue = (text: string): boolean =>
  text.charCodeAt(0) === 35 && (errorValues.has(text.toLowerCase()) || /^#{3,}$/.test(text))
