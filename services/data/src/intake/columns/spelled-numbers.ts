import { plainNumber, visibleText } from '@wp/tabular'
import type { IntakeWarning } from '../raw-table.ts'

/** Finds the numbers that a pseudonymized column has with and without leading zeros. */
export interface SpelledNumbers {
  add(column: string, value: unknown): void
  /** Says how many there are in each column, and none of them. */
  warnings(): IntakeWarning[]
}

export function createSpelledNumbers(): SpelledNumbers {
  /** The digits of each number where it occurred first, by column. */
  const digits = new Map<string, Map<string, string>>()
  const twofold = new Map<string, Set<string>>()

  return {
    add(column, value) {
      const isText = typeof value === 'string'
      if (!isText && typeof value !== 'number' && typeof value !== 'bigint') return
      const [text = '', decimals] = (isText ? visibleText(value) : String(value)).split('.', 2)
      if (!/^\d+$/.test(text) || /[^0]/.test(decimals ?? '')) return
      const number = plainNumber(text)
      const numbers = digits.get(column) ?? new Map<string, string>()
      digits.set(column, numbers)
      const first = numbers.get(number)
      if (first === undefined) numbers.set(number, text)
      else if (first !== text) twofold.set(column, (twofold.get(column) ?? new Set()).add(number))
    },
    warnings: () =>
      [...twofold].map(([column, { size }]) => ({
        code: 'leading_zeros_differ',
        column,
        message: `Column "${column}" has ${size} ${size === 1 ? 'number' : 'numbers'} with and without leading zeros. Each has one pseudonym and counts as one person. If they are several people, write their numbers so that they differ in more than zeros`,
      })),
  }
}
