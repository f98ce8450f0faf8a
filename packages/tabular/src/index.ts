export { csvRow, neutralizeFormulas } from './csv-row.ts'
export { type ParsedTimestamp, parseTimestamp } from './parse-timestamp.ts'
export { compileTimestampFormat, TimestampFormatError, type TimestampReader } from './timestamp-format.ts'
