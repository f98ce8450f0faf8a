/** A number, an empty cell, or the reason for which a cell is neither. */
export type NumberReading = number | null | 'unreadable' | 'ambiguous'

/** A decimal number as in JSON, also with a sign, or without digits on one side of the point. */
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
/** Either a number below 1,000 with three decimals, or one above with a mark for thousands: `1.386`. */
const grouped = /^[+-]?[1-9]\d{0,2}\.\d{3}$/
/**
 * A text in which a point, if there is one, can only be a decimal point: `12.5`, `0.386`; or one without marks: `1386`.
 */
const undivided = /^[+-]?(?:\d*\.(?:\d{0,2}|\d{4,})|0\.\d+|\d{4,}(?:\.\d*)?)$/

/** Reads the numbers of one column. */
export interface NumberReader {
  read(cell: unknown): NumberReading
  /** True once a value has shown that the point of the column is a decimal point. */
  isDecimalProved(): boolean
}

/** Numbers of JSON are read as they are; of texts, only those that can be read in one way. */
export function createNumberReader(): NumberReader {
  let isProved = false
  return {
    read(cell) {
      if (cell === null || cell === undefined) return null
      if (typeof cell === 'number') {
        if (!Number.isInteger(cell)) isProved = true
        return Number.isFinite(cell) ? cell : 'unreadable'
      }
      if (typeof cell !== 'string') return 'unreadable'
      const text = cell.trim()
      if (text === '') return null
      if (!decimal.test(text)) return 'unreadable'
      if (undivided.test(text)) isProved = true
      const number = Number(text)
      if (!Number.isFinite(number)) return 'unreadable'
      return !isProved && grouped.test(text) ? 'ambiguous' : number
    },
    isDecimalProved: () => isProved,
  }
}
