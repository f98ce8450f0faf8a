export { type CellReader, compileNumberCells, compileTimeCells, isNoName, isNullWord } from './column/cell-reader.ts'
export {
  addText,
  addTyped,
  type ColumnEvidence,
  countValues,
  createColumnEvidence,
  numbersOf,
} from './column/column-evidence.ts'
export type { ColumnDecision, ColumnHints, ColumnNote, ColumnType } from './column/decide-column.ts'
export { type Ambiguity, ambiguityOf, decideColumns } from './column/decide-columns.ts'
export { isIdentifierName, isTimeName, plainNumber, visibleText, wordsOf } from './column-names.ts'
export { csvRow, neutralizeFormulas, restoreFormulas } from './csv-row.ts'
export { type BookingState, bookingStateOf } from './dataset/booking-states.ts'
export * as roles from './dataset/column-roles.ts'
export {
  type DescribedColumn,
  directionWords,
  hasWord,
  isNoShowName,
} from './dataset/column-roles.ts'
export { isFloorName, momentDistance } from './dataset/column-traits.ts'
export { directionOf, isAccess } from './dataset/directions.ts'
export { isNameOfRole } from './dataset/find-roles.ts'
export { kindRemarks } from './dataset/kind-remarks.ts'
export { mapRoles } from './dataset/map-roles.ts'
export { isActiveState, markOf, placeOfStatus, placeOfWork } from './dataset/places-of-work.ts'
export { recognizeDataset } from './dataset/recognize-dataset.ts'
export {
  areaWords,
  capacityWords,
  currencyOfName,
  isAmountName,
  isOtherAreaName,
  isOtherCostName,
  isSpaceKind,
  scaleOfName,
} from './dataset/space-words.ts'
export { clockRange, durationWords, hourWords } from './dataset/time-words.ts'
export { proveDecimal, readingOfAmbiguous } from './number/decide-number.ts'
export { isUnit, scanMarkedNumber } from './number/marked-number.ts'
export type { NumberFormat } from './number/marks.ts'
export { scanNumber } from './number/scan-number.ts'
export { findExchangedFormat, formatOf, isUnprovenOrder } from './time/decide-timestamp.ts'
export { TimestampFormatError } from './time/format-tokens.ts'
export { parseTimestamp } from './time/parse-timestamp.ts'
export { plainTimestamp } from './time/plain-timestamp.ts'
export { scanTimestamp } from './time/scan-timestamp.ts'
export { compileTimestampFormat, type TimestampReader } from './time/timestamp-format.ts'
export { isWeekdayName } from './time/weekday-names.ts'
export { standardTime } from './time/zone-names.ts'
