import type { Preview } from './preview/preview-values.ts'

type FileType = Preview['format']['type']
type ColumnType = Preview['columns'][number]['type']

/** The types of files, as a person who made one calls them. */
const fileTypes: Readonly<Record<FileType, string>> = {
  csv: 'Table in a text file (CSV)',
  xlsx: 'Excel workbook',
  parquet: 'Parquet table',
  json: 'JSON',
  ndjson: 'JSON, one row on each line',
  icalendar: 'Calendar (ICS)',
  html: 'Web page',
  text: 'Text',
}

/** Describes the kind of a file: `Table in a text file (CSV), compressed`. */
export const describeFileType = ({ type, compression }: Preview['format']): string =>
  compression === null ? fileTypes[type] : `${fileTypes[type]}, compressed`

const textTypes = ['csv', 'json', 'ndjson'] as const

/** Returns the kinds as which a file can be read: a binary one as what it is. */
export const fileTypeChoices = (format: Preview['format']) =>
  textTypes.some((type) => type === format.type)
    ? textTypes.map((type) => ({ value: type, label: describeFileType({ ...format, type }) }))
    : [{ value: format.type, label: describeFileType(format) }]

export const columnTypeChoices: readonly { value: ColumnType; label: string }[] = [
  { value: 'string', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'timestamp', label: 'Date or time' },
  { value: 'boolean', label: 'Yes or no' },
]

const delimiters: Readonly<Record<string, string>> = {
  ',': 'Commas',
  ';': 'Semicolons',
  '\t': 'Tabs',
  '|': 'Vertical bars',
}

/** Returns the usual characters between columns, and that of the file. */
export const delimiterChoices = (current: string) => withCurrent(delimiters, current)

const encodings: Readonly<Record<string, string>> = {
  'utf-8': 'Unicode (UTF-8)',
  'utf-16le': 'Unicode (UTF-16)',
  'utf-16be': 'Unicode (UTF-16, big-endian)',
  'windows-1252': 'Western European (Windows)',
  'iso-8859-15': 'Western European (ISO)',
  macintosh: 'Western European (Mac)',
  'windows-1250': 'Central European (Windows)',
  'iso-8859-2': 'Central European (ISO)',
  'windows-1251': 'Cyrillic (Windows)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  'windows-1253': 'Greek (Windows)',
  'windows-1254': 'Turkish (Windows)',
  'windows-1255': 'Hebrew (Windows)',
  'windows-1256': 'Arabic (Windows)',
  'windows-1257': 'Baltic (Windows)',
  shift_jis: 'Japanese (Shift JIS)',
  'euc-jp': 'Japanese (EUC)',
  gb18030: 'Chinese (GB 18030)',
  big5: 'Chinese (Big5)',
  'euc-kr': 'Korean (EUC)',
}

/** Returns the encodings of text that a person can choose, and that of the file. */
export const encodingChoices = (current: string) => withCurrent(encodings, current)

function withCurrent(words: Readonly<Record<string, string>>, current: string) {
  const choices = Object.entries(words).map(([value, label]) => ({ value, label }))
  return Object.hasOwn(words, current) ? choices : [{ value: current, label: current }, ...choices]
}

export const replaceDays = 'Replace the records of the days of the file'

/** Advice of this page for the warnings of the platform, whose messages name the setting of the API. */
const corrections: Readonly<Record<string, string>> = {
  assumed_encoding: 'If they are wrong, choose another encoding.',
  assumed_date_order: 'If this is wrong, choose another way under the name of the column.',
  alike_sheets: 'To read all of these as one table, choose “All sheets with the same columns” under “Sheet”.',
  overlaps: `If this file corrects an earlier one, choose “${replaceDays}”.`,
  overlaps_with_others: 'If it corrects an earlier file, upload it by itself to replace the records of its days.',
  other_sheets: 'To read another one, choose it under “Sheet”.',
}

/** Returns a warning about a file in the words of this page. @param isAlone no other file is uploaded with it */
export const describeWarning = ({ code, message }: { code: string; message: string }, isAlone = true): string => {
  const correction = corrections[code === 'overlaps' && !isAlone ? 'overlaps_with_others' : code]
  return correction === undefined
    ? message
    : `${message.replace(/\. [^.]*`(?:format\.|mode=)\w+`.*$/, '.')} ${correction}`
}
