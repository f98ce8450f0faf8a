import type { SourceFormat } from '@wp/contracts'

/** The marks in numbers. Null: the values show none. */
export interface NumberMarks {
  decimal: NonNullable<SourceFormat['decimal']> | null
  thousands: NonNullable<SourceFormat['thousands']> | null
}

type SetMarks = { [Mark in keyof NumberMarks]: NonNullable<NumberMarks[Mark]> }

const usualMarks: readonly SetMarks[] = [
  { decimal: '.', thousands: ',' },
  { decimal: ',', thousands: '.' },
  { decimal: ',', thousands: ' ' },
  { decimal: '.', thousands: "'" },
  { decimal: '.', thousands: '' },
  { decimal: ',', thousands: '' },
]

/** The choice for numbers without any mark. */
export const noMarks = ''

/**
 * Returns the ways to write a number that a person can choose, each as the example `1,234.5`. Those of the file come
 * first if they are none of the usual ones.
 */
export function numberStyleChoices(current: NumberMarks): { value: string; label: string }[] {
  const isUsual = usualMarks.some((marks) => styleOf(marks) === styleOf(current))
  const own = completeMarks(current)
  const list = own === undefined || isUsual ? usualMarks : [own, ...usualMarks]
  const choices = list.map((marks) => ({ value: styleOf(marks), label: exampleOf(marks) }))
  return own === undefined ? [{ value: noMarks, label: '1234' }, ...choices] : choices
}

/** Returns the choice that stands for marks. */
export function styleOf(marks: NumberMarks): string {
  const { decimal, thousands } = completeMarks(marks) ?? {}
  return decimal === undefined ? noMarks : `${decimal}${thousands}`
}

/** Returns the marks of a choice; undefined for numbers without any. */
export const marksOfStyle = (style: string, current: NumberMarks): SetMarks | undefined =>
  [...usualMarks, completeMarks(current)].find((marks) => marks !== undefined && styleOf(marks) === style)

/** Of two marks the values may show one; they then leave the usual partner for the other. */
function completeMarks({ decimal, thousands }: NumberMarks): SetMarks | undefined {
  if (decimal === null && thousands === null) return undefined
  return { decimal: decimal ?? (thousands === '.' ? ',' : '.'), thousands: thousands ?? '' }
}

const exampleOf = ({ decimal, thousands }: SetMarks): string => `1${thousands}234${decimal}5`
