/** Marks in the numbers of a column. Absent marks: the column has none. */
export interface NumberFormat {
  decimal?: DecimalMark | undefined
  /** The empty text: numbers are not grouped. */
  thousands?: ThousandsMark | undefined
}

export const decimalMarks = ['.', ','] as const
export type DecimalMark = (typeof decimalMarks)[number]
export type ThousandsMark = ',' | '.' | "'" | '’' | ' ' | '\u00a0' | '\u202f' | '\u2009' | '\u2007' | '_' | ''

/** Thousands marks that look alike; writers mix them, and no reading depends on which of them is used. */
export type MarkFamily = ',' | '.' | "'" | ' ' | '_'

const families: ReadonlyMap<string, MarkFamily> = new Map([
  [',', ','],
  ['.', '.'],
  ["'", "'"],
  ['’', "'"],
  [' ', ' '],
  ['\u00a0', ' '],
  ['\u202f', ' '],
  ['\u2009', ' '],
  ['\u2007', ' '],
  ['_', '_'],
])

/** Returns the family of a mark, undefined for any other character. */
export const familyOf = (character: string): MarkFamily | undefined => families.get(character)

/** Returns true for a character that may group digits. */
export const isThousandsMark = (character: string): character is Exclude<ThousandsMark, ''> => families.has(character)

/**
 * Returns true if the lengths of groups of digits are those of a grouped number: three digits each and one to three
 * first, or, in India, two each before the last three, where points are decimal marks: `12.34.567` is a version.
 */
export function areGroups(lengths: readonly number[], mark?: MarkFamily): boolean {
  const [first = 0, ...rest] = lengths
  if (first < 1 || first > 3 || rest.length === 0) return false
  if (rest.every((length) => length === 3)) return true
  return mark !== '.' && first <= 2 && rest.at(-1) === 3 && rest.slice(0, -1).every((length) => length === 2)
}

/** A number format prepared for comparisons. */
export interface MarkRules {
  decimal: DecimalMark | undefined
  /** Null: digits are not grouped. Undefined: not known. */
  thousands: MarkFamily | null | undefined
}

export function toMarkRules({ decimal, thousands }: NumberFormat): MarkRules {
  const family = thousands === '' ? null : thousands === undefined ? undefined : familyOf(thousands)
  const implied = family === '.' ? ',' : family === ',' ? '.' : undefined
  return { decimal: decimal ?? implied, thousands: family }
}

/** Returns true if a number with these marks is one of the format. An unknown mark may be any that is not taken. */
export function fitsMarks(
  rules: MarkRules,
  thousands: MarkFamily | undefined,
  decimal: DecimalMark | undefined,
): boolean {
  if (decimal !== undefined && decimal !== (rules.decimal ?? decimal)) return false
  if (decimal !== undefined && decimal === rules.thousands) return false
  if (thousands === undefined) return true
  return rules.thousands === undefined ? thousands !== rules.decimal : thousands === rules.thousands
}

/**
 * Returns the role of a mark that alone does not show it, undefined if the format does not tell or has no such mark.
 */
export function roleOf({ decimal, thousands }: MarkRules, mark: DecimalMark): 'decimal' | 'thousands' | undefined {
  if (mark === decimal) return 'decimal'
  if (mark === thousands) return 'thousands'
  if (decimal !== undefined) return thousands === undefined ? 'thousands' : undefined
  return thousands === undefined ? undefined : 'decimal'
}
